"use strict";
const { spawn, spawnSync } = require("node:child_process");
const { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { createServer: createSocketServer } = require("node:net");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
// The scripts must be made exactly as the program makes them, or V8 refuses the cache.
const PROGRAM = require.resolve("../packages/claw/bin/claw.cjs");
const { load } = require(PROGRAM);

/** Calls whose code is worth keeping. Only what has run is in a cache, so each is made once. */
const CALLS = {
  local: ["list-sessions", "--output-format", "json"],
  help: ["help"],
  status: ["status"],
  bus: ["ps", "--output-format", "json"],
  daemon: ["up", "--foreground"],
  fake: ["fake-agent", "claude", "--scenario", "text", "-p", "hello", "--output-format", "stream-json", "--verbose"],
  spawn: ["spawn", "--harness", "fake", "--scenario", "text", "--wait", "complete", "hello"],
  agent: ["-p", "hello", "--model", "claude-opus-4-5", "--output-format", "json"],
};

const ENTRY_CALLS = new Set(["local", "help", "status"]);

const ANSWER = [
  { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [], usage: {} } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hello" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
];

/** A model that says hello, so that a whole run takes place. */
function listen() {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(ANSWER.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}

/** What a bus says to everything a worker asks. */
const BUS_ANSWER = {
  ok: true,
  peerId: "p_000001",
  serverCapabilities: ["receipts", "gap", "resume", "durable"],
  sequence: 1,
  cursor: "0001:1",
  duplicate: false,
  subscriptionId: "s_1",
  deliveredTo: 0,
};

function listenAsBus(path) {
  const server = createSocketServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      const ids = chunk.toString().match(/"id":\d+,"cmd"/g) ?? [];
      for (const id of ids) socket.write(`${JSON.stringify({ ...BUS_ANSWER, rid: Number(/\d+/.exec(id)[0]) })}\n`);
    });
  });
  return new Promise((resolve) => server.listen(path, () => resolve(server)));
}

/** An agent that says one thing. */
const AGENT = [
  { type: "system", subtype: "init", session_id: "s" },
  { type: "assistant", message: { id: "m", content: [{ type: "text", text: "hello" }] } },
  { type: "result", subtype: "success", is_error: false, result: "hello", num_turns: 1 },
]
  .map((line) => `console.log(${JSON.stringify(JSON.stringify(line))})`)
  .join(";");

/** A folder with a worker's job: one whole mission. */
async function prepareWorker() {
  const socket = join(folder, "bus.sock");
  await listenAsBus(socket);
  const nothing = { reason: null, model: null, parentId: null, fleet: null, bearer: null, scenario: null };
  const job = {
    ...nothing,
    version: 1,
    peerId: "p_000001",
    name: "worker",
    bootId: "b",
    attempt: 1,
    harness: "fake",
    mode: "headless",
    mission: "hello",
    cwd: folder,
    folder,
    socket,
    resumeToken: "none",
    program: [process.execPath, "-e", AGENT],
    permissionMode: null,
    env: {},
    worktree: null,
    umask: 0o022,
    commands: { from: "0001:0", after: 0, waiting: [] },
  };
  writeFileSync(join(folder, "job.json"), JSON.stringify(job));
}

const claw = (...args) => spawnSync(process.execPath, [PROGRAM, ...args], { cwd: folder, stdio: "ignore" });

/** A daemon of the folder, which goes when this process does. */
function startDaemon() {
  process.on("exit", () => claw("down"));
  claw("up");
}

/** Has this process, which is a daemon, do what daemons do, until it is told to stop. */
function useDaemon() {
  const talk = spawn(process.execPath, [__filename, "talk"], { cwd: folder, stdio: "ignore" });
  talk.on("exit", (code) => code === 0 || process.exit(1));
}

/** Talks to the daemon of the working folder, once it is there. */
function talkToDaemon() {
  const isUp = () => existsSync(join(folder, ".claws", "daemon.json"));
  for (const deadline = Date.now() + 30_000; !isUp() && Date.now() < deadline;) claw("version");
  claw(...CALLS.spawn);
  claw("down");
}

const scripts = new Map();
const name = process.argv[2];
const folder = name === "talk" ? process.cwd() : mkdtempSync(join(tmpdir(), "claw-build-"));

process.on("exit", (code) => {
  if (name === "talk") return;
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  if (code !== 0) return;
  for (const [file, script] of scripts) {
    // The entry's cache is made by the calls it has to be fast for. Each adds to the cache of the calls before it.
    if (file.endsWith("/claw.cjs") && !ENTRY_CALLS.has(name)) continue;
    writeFileSync(`${file}.cache.new`, script.createCachedData());
    renameSync(`${file}.cache.new`, `${file}.cache`);
  }
});

async function main() {
  if (name === "talk") return talkToDaemon();
  process.chdir(folder);
  if (name === "worker") {
    await prepareWorker();
    process.argv = [process.execPath, "worker", folder];
    load("worker.cjs", scripts);
    return;
  }
  const port = await listen();
  Object.assign(process.env, {
    HOME: folder,
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
  });
  if (name === "spawn" || name === "bus") startDaemon();
  if (name === "daemon") useDaemon();
  process.argv = [process.execPath, PROGRAM, ...CALLS[name]];
  load("claw.cjs", scripts);
}

void main();
