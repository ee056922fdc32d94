"use strict";
const { mkdtempSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
// The scripts must be made exactly as the program makes them, or V8 refuses the cache.
const { load } = require("../packages/claw/bin/claw.cjs");

/** Calls whose code is worth keeping. Only what has run is in a cache, so each is made once. */
const CALLS = {
  local: ["list-sessions", "--output-format", "json"],
  agent: ["-p", "hello", "--model", "claude-opus-4-5", "--output-format", "json"],
};

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

const scripts = new Map();
const folder = mkdtempSync(join(tmpdir(), "claw-build-"));
const name = process.argv[2];

process.on("exit", (code) => {
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) return;
  for (const [file, script] of scripts) {
    // The entry's cache is made by the call it has to be fast for.
    if (name !== "local" && file.endsWith("/claw.cjs")) continue;
    writeFileSync(`${file}.cache.new`, script.createCachedData());
    renameSync(`${file}.cache.new`, `${file}.cache`);
  }
});

async function main() {
  process.chdir(folder);
  const port = await listen();
  Object.assign(process.env, {
    HOME: folder,
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
  });
  process.argv = [process.execPath, "claw", ...CALLS[name]];
  load("claw.cjs", scripts);
}

void main();
