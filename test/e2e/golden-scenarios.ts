import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { VerbName } from "claw-contract";
import { connectWire, startDaemon } from "./daemon-process.ts";
import { installFakes } from "./install-fakes.ts";
import { BUS_SCENARIOS } from "./bus-scenarios.ts";
import { clawJson } from "./run-claw.ts";
import { FINE, FROM_HERE, putAgentHere, refusedBy } from "./script-agent.ts";
import type { Seed } from "./seed.ts";
import { SEED_MS } from "./seed.ts";
import { withQuestion, withReport } from "./fixer-scene.ts";
import { withWork } from "./work-scene.ts";
import type { Workspace } from "./workspace.ts";

/** A call whose answer is always the same once times, ids and paths are taken out. */
export interface Scenario {
  readonly seeds: readonly Seed[];
  readonly argv: readonly string[];
  /** What happens before, besides files that are there. */
  readonly prepare?: (workspace: Workspace) => Promise<void>;
  /** Variables the call is made with. */
  readonly env?: (workspace: Workspace) => NodeJS.ProcessEnv;
  /** Calls in the three envelopes do not disturb each other, so one daemon serves them. */
  readonly inOneFolder?: true;
}

const HOUR_MS = 3_600_000;

const review: Seed = { kind: "session", id: "review", atMs: SEED_MS, prompts: ["review the parser", "and its tests"] };
const rename: Seed = { kind: "session", id: "rename", atMs: SEED_MS + HOUR_MS };
const settings: Seed = {
  kind: "file",
  path: ".claw/settings.json",
  text: JSON.stringify({ model: "claude-opus-4-5", permissions: { defaultMode: "read-only" } }),
};
/** Whether there is a sandbox depends on the machine. */
const unconfined: Seed = { kind: "file", path: "../home/.claw/settings.json", text: '{ "sandbox": "off" }' };
/** How old the prices of claw are depends on the day. */
const freshPrices: readonly Seed[] = [
  { kind: "file", path: "../home/.claw/settings.json", text: '{ "sandbox": "off", "pricesFile": "prices.json" }' },
  { kind: "file", path: "../home/.claw/prices.json", text: '{ "as_of": "2999-01-01", "prices": {} }' },
];
/** The log of a folder, with one event. */
const oldLog: Seed = {
  kind: "file",
  path: ".claws/log/000000000001.jsonl",
  text: '{"topic":"note.x","from":"p_000001","ts_server":"2026-01-01T00:00:00.000Z","payload":1,"sequence":1}\n',
};
const brokenSettings: Seed = { kind: "file", path: ".claw/settings.json", text: '{ "model": ' };

const agentEvents = (...events: readonly object[]): Seed => ({
  kind: "file",
  path: "run.ndjson",
  text: events.map((event) => `${JSON.stringify(event)}\n`).join(""),
});
const agentRun = agentEvents(
  { type: "system", subtype: "init", session_id: "s-1", model: "claude-opus-5-5", apiKeySource: "none" },
  { type: "assistant", message: { content: [{ type: "text", text: "All green." }] }, parent_tool_use_id: null },
  { type: "result", subtype: "success", is_error: false, num_turns: 1, usage: { input_tokens: 11, output_tokens: 7 } },
);
const refusedRun = agentEvents(
  { type: "thread.started", thread_id: "t-1" },
  { type: "turn.failed", error: { message: "exceeded retry limit, last status: 429 Too Many Requests" } },
);

const backUp = async (workspace: Workspace): Promise<void> => {
  await clawJson(workspace, ["backup", "kept.tar.gz"]);
};

const ABORT = ["publish", "cmd.role.worker", '{"command":"abort","reason":"done"}'];

const MADE = JSON.stringify({ path: "made.txt", content: "made" });
const UNCONFINED = ["--permission-mode", "danger-full-access"];

const SCRIPTED = ["--model", "scripted"];

const fleetFile: Seed = {
  kind: "file",
  path: "fleet.yaml",
  text: [
    "name: docs",
    "defaults: { harness: fake }",
    "workers:",
    "  - { name: plan, mission: plan it }",
    "  - { name: write, mission: write it, needs: [plan] }",
    "",
  ].join("\n"),
};
const packageJson: Seed = { kind: "file", path: "package.json", text: '{ "scripts": { "test": "node test.mjs" } }' };

const python: Seed = { kind: "file", path: "bin/python3", text: "#!/bin/sh\necho Python 3.13.12\n" };

/** A Python that is there on every machine. */
function withPython({ cwd }: Workspace): NodeJS.ProcessEnv {
  const bin = join(cwd, "bin");
  chmodSync(join(bin, "python3"), 0o755);
  return { PATH: [bin, process.env["PATH"]].join(delimiter) };
}

async function withDaemon(workspace: Workspace): Promise<void> {
  await startDaemon(workspace);
}

/** A daemon whose log has one command, behind the coming of who gave it. */
async function withCommand(workspace: Workspace): Promise<void> {
  await startDaemon(workspace);
  await clawJson(workspace, ABORT);
}

/** An agent in the working folder. */
const withAgent = (script: string) => async (workspace: Workspace) => putAgentHere(workspace, script);

/** A worker in its first phase, with something to do. */
async function withWorker(workspace: Workspace): Promise<void> {
  const { socket } = await startDaemon(workspace);
  const [worker, orchestrator] = [await connectWire(socket), await connectWire(socket)];
  const id = await worker.hello("worker", { peerName: "audit" });
  await orchestrator.hello("orchestrator", { peerName: "main" });
  const phase = { phase: "PLAN", prev: null, transition_reason: "mission received", phases_completed: [] };
  await worker.publish(`worker.${id}.phase`, phase);
  await orchestrator.ask({ cmd: "task.assign", title: "Audit", assignee: id, prompt: "Audit src/server.ts" });
}

/** A worker of our own making that has done its work. */
async function withDone(workspace: Workspace): Promise<void> {
  await startDaemon(workspace);
  await clawJson(workspace, ["spawn", "do it", "--name", "done", "--harness", "fake", "--wait", "complete"]);
}

/** A worker that asks for something. */
async function asking(workspace: Workspace): Promise<void> {
  await withQuestion(workspace);
}

/** A worker that has committed something in its worktree. */
async function working(workspace: Workspace): Promise<void> {
  await withWork(workspace);
}

/** The agents are fakes, whatever is installed, with a key for one of them. */
const withAgents = (workspace: Workspace): NodeJS.ProcessEnv => ({
  PATH: installFakes(workspace, "text"),
  ANTHROPIC_API_KEY: "sk-ant-for-nothing",
});

const IN_PROJECT = ["--scope", "project"];
const mcpJson: Seed = {
  kind: "file",
  path: ".mcp.json",
  text: '{ "mcpServers": { "x": {}, "claws": { "command": "claw", "args": ["mcp", "serve"] } } }',
};

/** The clients of the MCP server that are installed differ from machine to machine. */
const onlyOwnPrograms = ({ cwd }: Workspace): NodeJS.ProcessEnv => ({ PATH: join(cwd, "bin") });

/** One for each verb. */
const VERB_SCENARIOS: Readonly<Record<VerbName, Scenario>> = {
  accept: { seeds: [], prepare: withReport, argv: ["accept", "fixer"] },
  approvals: { seeds: [], prepare: asking, argv: ["approvals"], inOneFolder: true },
  approve: { seeds: [], prepare: asking, argv: ["approve", "fixer", "--choose", "B"] },
  abort: { seeds: [], prepare: withWorker, argv: ["abort", "audit", "--wait", "none"] },
  attach: { seeds: [], argv: ["attach", "1"] },
  bootstrap: { seeds: [packageJson, python], argv: ["bootstrap", "hello", ...SCRIPTED], env: withPython },
  "bootstrap-graph": { seeds: [], argv: ["bootstrap-graph"] },
  chat: { seeds: [], argv: ["chat"] },
  "command-graph": { seeds: [], argv: ["command-graph"] },
  completion: { seeds: [], argv: ["completion", "bash"] },
  "mcp install": { seeds: [], argv: ["mcp", "install", "cursor", "--dry-run", ...IN_PROJECT], env: onlyOwnPrograms },
  "mcp status": { seeds: [], argv: ["mcp", "status"], env: onlyOwnPrograms },
  "mcp uninstall": {
    seeds: [mcpJson],
    argv: ["mcp", "uninstall", "claude", "--dry-run", ...IN_PROJECT],
    env: onlyOwnPrograms,
  },
  "service install": { seeds: [], argv: ["service", "install", "--manager", "launchd", "--dry-run"] },
  "service status": { seeds: [], argv: ["service", "status", "--manager", "launchd"] },
  "service uninstall": { seeds: [], argv: ["service", "uninstall", "--manager", "launchd"] },
  "cluster-credentials": {
    seeds: [],
    argv: ["cluster-credentials", "ann,bob", "--cluster", "team", "--out", "keys", "--dry-run"],
  },
  "bus migrate": { seeds: [oldLog], argv: ["bus", "migrate", "--to", "old-log", "--dry-run"] },
  backup: { seeds: [review], argv: ["backup", "kept.tar.gz"] },
  restore: { seeds: [review], argv: ["restore", "kept.tar.gz", "--dry-run"], prepare: backUp },
  uninstall: {
    seeds: [review],
    argv: ["uninstall"],
    env: ({ home }) => ({ XDG_CACHE_HOME: join(home, "cache") }),
  },
  config: { seeds: [settings], argv: ["config"] },
  "delete-session": { seeds: [review], argv: ["delete-session", "review"] },
  diff: { seeds: [], prepare: working, argv: ["diff", "fixer"], inOneFolder: true },
  merge: { seeds: [], prepare: working, argv: ["merge", "fixer"] },
  // To its end its answer depends on what was when; without git it has the same one everywhere.
  demo: { seeds: [], argv: ["demo"], env: ({ cwd }) => ({ PATH: join(cwd, "empty") }) },
  doctor: { seeds: [review, settings, ...freshPrices], argv: ["doctor"], env: withAgents, inOneFolder: true },
  down: { seeds: [], prepare: withDaemon, argv: ["down"] },
  events: { seeds: [], prepare: withCommand, argv: ["events", "--topic", "cmd.**"], inOneFolder: true },
  "exec-command": { seeds: [], argv: ["exec-command", "add-dir", "create src/util/"] },
  "exec-tool": { seeds: [], argv: ["exec-tool", "BashTool", "echo hello", ...UNCONFINED] },
  export: { seeds: [review], argv: ["export", "--session-id", "review"] },
  "fake-agent": { seeds: [], argv: ["fake-agent"] },
  "flush-transcript": { seeds: [], argv: ["flush-transcript", "review the parser"] },
  harnesses: { seeds: [], argv: ["harnesses"], env: withAgents, inOneFolder: true },
  help: { seeds: [], argv: ["help", "export"] },
  fleet: { seeds: [fleetFile], argv: ["fleet", "fleet.yaml", "--dry-run"] },
  init: { seeds: [], argv: ["init"] },
  "mcp serve": { seeds: [], argv: ["mcp", "serve"] },
  "list-sessions": { seeds: [review, rename], argv: ["list-sessions"] },
  "load-session": { seeds: [review], argv: ["load-session", "review"] },
  logs: { seeds: [], argv: ["logs", "1"] },
  manifest: { seeds: [], argv: ["manifest"] },
  "parse-stream": { seeds: [agentRun], argv: ["parse-stream", "run.ndjson", "--harness", "claude-code"] },
  pause: { seeds: [], prepare: withWorker, argv: ["pause", "audit", "--wait", "none"] },
  machines: { seeds: [], prepare: withDaemon, argv: ["machines"] },
  peers: { seeds: [], prepare: withWorker, argv: ["peers"], inOneFolder: true },
  prompt: { seeds: [], argv: ["-p", "hello", ...SCRIPTED] },
  ps: { seeds: [], prepare: withWorker, argv: ["ps"], inOneFolder: true },
  top: { seeds: [], argv: ["top"] },
  "notify test": { seeds: [], prepare: withDaemon, argv: ["notify", "test"] },
  prune: { seeds: [], prepare: withDone, argv: ["prune", "--yes"] },
  publish: { seeds: [], prepare: withDaemon, argv: ABORT },
  restart: { seeds: [], prepare: withDone, argv: ["restart", "done", "--reason", "once more"] },
  resume: { seeds: [], prepare: withWorker, argv: ["resume", "audit", "--wait", "none"] },
  reject: { seeds: [], prepare: asking, argv: ["reject", "fixer", "--reason", "not today"] },
  rework: { seeds: [], prepare: withReport, argv: ["rework", "fixer", "the tests fail"] },
  rm: { seeds: [], prepare: withDone, argv: ["rm", "done"] },
  route: { seeds: [], argv: ["route", "add a folder and read a file"] },
  run: { seeds: [], prepare: withAgent(FINE), argv: ["run", "say hello", ...FROM_HERE] },
  schema: { seeds: [], argv: ["schema", "load-session.output"] },
  send: { seeds: [], prepare: withWorker, argv: ["send", "audit", "use the other parser", "--wait", "none"] },
  "show-command": { seeds: [], argv: ["show-command", "add-dir"] },
  "show-tool": { seeds: [], argv: ["show-tool", "BashTool"] },
  spawn: {
    seeds: [],
    prepare: withDaemon,
    argv: ["spawn", "--harness", "fake", "--wait", "complete", "say hello"],
  },
  status: { seeds: [review, settings, unconfined, { kind: "repository", branch: "main" }], argv: ["status"] },
  "stream-events": {
    seeds: [],
    prepare: withDaemon,
    argv: ["stream-events", "--wait", "c-1", "--timeout-ms", "100"],
    inOneFolder: true,
  },
  "tasks list": { seeds: [], prepare: withWorker, argv: ["tasks"], inOneFolder: true },
  ...BUS_SCENARIOS,
  "tool-pool": { seeds: [], argv: ["tool-pool"] },
  "turn-loop": { seeds: [], argv: ["turn-loop", "hi", "--continuation-prompt", "go", ...SCRIPTED] },
  up: { seeds: [], argv: ["up", "--http", "127.0.0.1:0"] },
  version: { seeds: [], argv: ["version"] },
  wait: {
    seeds: [],
    prepare: withCommand,
    argv: ["wait", "--since", "0000:0", "--topic", "cmd.role.*"],
    inOneFolder: true,
  },
};

/** Failures, pages and other answers of their own shape. */
const CASE_SCENARIOS: Readonly<Record<string, Scenario>> = {
  "prompt.compact": { seeds: [], argv: ["-p", "hello", "--compact", ...SCRIPTED] },
  "prompt.dry-run": { seeds: [], argv: ["prompt", "hello", "--dry-run", ...SCRIPTED] },
  "prompt.no-key": { seeds: [], argv: ["-p", "hello"] },
  "prompt.missing": { seeds: [], argv: ["-p", "--model", "scripted"] },
  "turn-loop.timeout": { seeds: [], argv: ["turn-loop", "hi", "--timeout-seconds", "0", ...SCRIPTED] },
  "turn-loop.none": { seeds: [], argv: ["turn-loop", "hi", "--max-turns", "0", ...SCRIPTED] },
  "config.unknown-section": { seeds: [], argv: ["config", "modle"] },
  "delete-session.not-found": { seeds: [], argv: ["delete-session", "does-not-exist"] },
  "down.noop": { seeds: [], argv: ["down"] },
  "doctor.failed": { seeds: [brokenSettings, ...freshPrices], argv: ["doctor"], env: withAgents, inOneFolder: true },
  "exec-command.not-found": { seeds: [], argv: ["exec-command", "add-dri", "src"] },
  "exec-command.not-handled": { seeds: [], argv: ["exec-command", "compact"] },
  "exec-command.outside": { seeds: [], argv: ["exec-command", "add-dir", "../outside"] },
  "exec-tool.denied": { seeds: [], argv: ["exec-tool", "write_file", MADE, "--permission-mode", "read-only"] },
  "exec-tool.dry-run": { seeds: [], argv: ["exec-tool", "write_file", MADE, "--dry-run"] },
  "exec-tool.not-found": { seeds: [], argv: ["exec-tool", "bsah", "ls"] },
  "export.no-sessions": { seeds: [], argv: ["export"] },
  "fake-agent.not-found": { seeds: [], argv: ["fake-agent", "--scenario", "tolls"] },
  "fake-agent.invalid": {
    seeds: [{ kind: "file", path: "mine.json", text: '{"steps":[{"type":"text"}]}' }],
    argv: ["fake-agent", "--scenario", "mine.json"],
  },
  "fleet.invalid": {
    seeds: [{ kind: "file", path: "fleet.yaml", text: "name: docs\nworkers:\n  - { name: a, needs: [b] }\n" }],
    argv: ["fleet", "fleet.yaml"],
  },
  "harnesses.none": { seeds: [], argv: ["harnesses"], env: () => ({ PATH: "/nowhere" }) },
  "init.dry-run": { seeds: [], argv: ["init", "--dry-run"] },
  "interactive-only": { seeds: [], argv: [] },
  "list-sessions.page": { seeds: [review, rename], argv: ["list-sessions", "--limit", "1"] },
  "load-session.not-found": { seeds: [], argv: ["load-session", "does-not-exist"] },
  "parse-stream.failed-run": {
    seeds: [refusedRun],
    argv: ["parse-stream", "run.ndjson", "--harness", "codex", "--exit-code", "1"],
  },
  "parse-stream.not-found": { seeds: [], argv: ["parse-stream", "none.ndjson", "--harness", "codex"] },
  "ps.at": { seeds: [], prepare: withWorker, argv: ["ps", "--at", "0000:0"], inOneFolder: true },
  "ps.not-running": { seeds: [], argv: ["ps"] },
  "peers.not-running": { seeds: [], argv: ["peers"] },
  "publish.invalid": {
    seeds: [],
    prepare: withDaemon,
    argv: ["publish", "cmd.p_000001.abort", "{}"],
    inOneFolder: true,
  },
  "run.dry-run": { seeds: [], prepare: withAgent(FINE), argv: ["run", "say hello", "--dry-run", ...FROM_HERE] },
  "run.not-found": { seeds: [], argv: ["run", "say hello", "--harness", "claude-code", "--env", "PATH=/nowhere"] },
  "run.rate-limit": { seeds: [], prepare: withAgent(refusedBy(429)), argv: ["run", "say hello", ...FROM_HERE] },
  "show-command.not-found": { seeds: [], argv: ["show-command", "does-not-exist"] },
  "show-tool.not-found": { seeds: [], argv: ["show-tool", "does-not-exist"] },
  "slash-command": { seeds: [], argv: ["/add-dir", "src/util"] },
  "status.daemon": { seeds: [], prepare: withDaemon, argv: ["status"], inOneFolder: true },
  "up.dry-run": { seeds: [], argv: ["up", "--dry-run"] },
  "up.running": { seeds: [], prepare: withDaemon, argv: ["up"], inOneFolder: true },
  "parse-error": { seeds: [], argv: ["list-sessions", "extra", "--limit", "0", "--bogus"] },
  redirect: { seeds: [], argv: ["session", "delete", "my session"] },
  timeout: { seeds: [], argv: ["status", "--timeout-seconds", "0"] },
  "unknown-slash-command": { seeds: [], argv: ["/compct"] },
  "unknown-command": { seeds: [], argv: ["statuz"] },
};

export const SCENARIOS: Readonly<Record<string, Scenario>> = { ...VERB_SCENARIOS, ...CASE_SCENARIOS };
