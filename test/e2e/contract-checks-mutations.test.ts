import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { matchVerb } from "@claw/contract";
import { VERBS } from "@claw/contract/schemas";
import { describe, expect, test } from "vitest";
import { chooseSeed } from "../reliability/random.ts";
import { joinAsAudit } from "./answering-peer.ts";
import type { Frame } from "./daemon-process.ts";
import { readLog, startDaemon, stopAfterTest } from "./daemon-process.ts";
import { part } from "./effort.ts";
import { readTree } from "./read-tree.ts";
import type { RunOptions } from "./run-claw.ts";
import { clawJson, flatJson, responseJson, runClaw } from "./run-claw.ts";
import { FINE, FROM_HERE, putAgentHere } from "./script-agent.ts";
import { seedFile, seedSession, sessionFile } from "./seed.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import { withFixer, withQuestion, withReport } from "./fixer-scene.ts";
import { withWork } from "./work-scene.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** All but what needs a person at a terminal. */
const MUTATING = new Set(
  Object.values(VERBS)
    .filter(({ name, effect }) => effect !== "read" && name !== "chat" && name !== "attach")
    .map((verb) => verb.name),
);

const verbIn = (argv: readonly string[]): string | undefined => matchVerb(argv, Object.values(VERBS))?.verb.name;

function createStore(): Workspace {
  const workspace = createWorkspace();
  seedSession(workspace, "demo");
  seedFile(workspace, "taken.md", "mine");
  seedFile(workspace, "fleet.yaml", "name: docs\nworkers:\n  - { name: plan, mission: plan it, harness: fake }\n");
  putAgentHere(workspace, FINE);
  return workspace;
}

const tear = (workspace: Workspace): void => appendFileSync(sessionFile(workspace, "demo"), '{"type":"mess');

interface DryRun {
  readonly argv: readonly string[];
  readonly effect: string;
  /** Paths it would change, relative to the working folder. */
  readonly affects: readonly string[];
  /** What else it would change. */
  readonly topics?: readonly string[];
  /** Whether a daemon has to run. */
  readonly daemon?: true;
  /** Makes a daemon that is asked, whose log says who came. */
  readonly asks?: (workspace: Workspace) => Promise<unknown>;
}

const demo = ".claw/sessions/demo.jsonl";

const MADE = JSON.stringify({ path: "made.txt", content: "made" });
const UNCONFINED = ["--permission-mode", "danger-full-access"];

const SCRIPTED = ["--model", "scripted"];

/** What giving a worker a command would do. */
const commandTo = (action: string): Omit<DryRun, "argv"> => ({
  effect: "would_create",
  affects: [],
  topics: [`cmd.p_000001.${action}`],
  asks: withFixer,
});

/** A worker of our own making that has reported. */
async function withOwnReport(workspace: Workspace): Promise<void> {
  await startDaemon(workspace);
  const order = ["spawn", "plan it", "--name", "plan", "--harness", "fake", "--wait", "complete"];
  expect(await clawJson(workspace, order)).toMatchObject({ exit_code: 0 });
}

/** The same content always has the same id. */
const ASKED = "ap_0df5a59140ae";

/** Calls over the wire of the bus: tried together, on one daemon, with what they would do. */
const ON_BUS: readonly (readonly [effect: string, argv: readonly string[]])[] = [
  ["would_create", ["tokens", "create", "--role", "worker", "--peer", "ci"]],
  ["would_delete", ["tokens", "revoke", "ci"]],
  ["would_create", ["terminal", "create", "--name", "build"]],
  ["would_update", ["terminal", "exec", "build", "echo once >> once.txt"]],
  ["would_delete", ["terminal", "close", "build"]],
  ["would_create", ["tasks", "assign", "audit", "Audit src"]],
  ["would_update", ["tasks", "update", "t_001"]],
  ["would_update", ["tasks", "cancel", "t_001"]],
  ["would_update", ["tasks", "complete", "t_001"]],
  ["would_create", ["broadcast", "main is frozen"]],
  ["would_update", ["rpc", "call", "audit", "describe"]],
  ["would_update", ["lifecycle", "plan", "audit it"]],
  ["would_update", ["lifecycle", "advance", "SPAWN"]],
  ["would_update", ["lifecycle", "advance", "DEPLOY"]],
  ["would_update", ["lifecycle", "advance", "OBSERVE"]],
  ["would_update", ["lifecycle", "advance", "HARVEST"]],
  ["would_update", ["lifecycle", "advance", "CLEANUP"]],
  ["would_update", ["lifecycle", "reflect", "ship smaller"]],
  ["would_create", ["wave", "create", "w1", "--roles", "lead,tester"]],
  ["would_update", ["wave", "complete", "w1"]],
  ["would_create", ["pipeline", "create", "--source", "1", "--sink", "2"]],
  ["would_delete", ["pipeline", "close", "pipe_0001"]],
];

/** Not what the daemon tells by itself, when it comes to it: who came and went, and how terminals are. */
const isOurs = ({ topic }: Frame): boolean =>
  !/^(system\.(?!broadcast)|vehicle\.|command\.|wave\..*\.harvested$)/.test(String(topic));

const BUS_CALLS = ON_BUS.map(([, argv]) => argv);

const DRY_RUNS: readonly DryRun[] = [
  { argv: ["exec-command", "add-dir", "src/util"], effect: "would_create", affects: ["src/util"] },
  { argv: ["exec-command", "export", "new.md"], effect: "would_create", affects: ["new.md"] },
  { argv: ["exec-command", "status"], effect: "noop", affects: [] },
  { argv: ["exec-tool", "write_file", MADE], effect: "would_create", affects: ["made.txt"] },
  { argv: ["exec-tool", "read_file", "taken.md"], effect: "noop", affects: [] },
  { argv: ["exec-tool", "bash", "touch made.txt", ...UNCONFINED], effect: "would_update", affects: ["."] },
  { argv: ["prompt", "hi", ...SCRIPTED], effect: "would_update", affects: ["."] },
  { argv: ["turn-loop", "hi", ...SCRIPTED], effect: "would_create", affects: [".claw/sessions"] },
  { argv: ["bootstrap", "hi", ...SCRIPTED], effect: "would_create", affects: [".claw/sessions"] },
  { argv: ["up"], effect: "would_create", affects: [".claws/claws.sock"] },
  { argv: ["fleet", "fleet.yaml"], effect: "would_create", affects: [] },
  { argv: ["down"], effect: "would_delete", affects: [".claws/claws.sock"], daemon: true },
  { argv: ["publish", "note.x", "1"], effect: "would_create", affects: [], topics: ["note.x"], daemon: true },
  {
    argv: ["approve", "fixer", "--choose=B"],
    effect: "would_update",
    affects: [],
    topics: [ASKED],
    asks: withQuestion,
  },
  { argv: ["reject", "fixer"], effect: "would_update", affects: [], topics: [ASKED], asks: withQuestion },
  { argv: ["accept", "fixer"], effect: "would_update", affects: [], topics: ["p_000001"], asks: withReport },
  { argv: ["merge", "fixer"], effect: "would_update", affects: [], topics: ["refs/heads/main"], asks: withWork },
  { argv: ["rework", "plan", "again"], effect: "would_update", affects: [], topics: ["p_000002"], asks: withOwnReport },
  { argv: ["restart", "plan"], effect: "would_update", affects: [], topics: ["p_000002"], asks: withOwnReport },
  { argv: ["rm", "plan"], effect: "would_delete", affects: [".claws/workers/p_000002"], asks: withOwnReport },
  { argv: ["prune"], effect: "would_delete", affects: [".claws/workers/p_000002"], asks: withOwnReport },
  { argv: ["send", "fixer", "hi"], ...commandTo("inject_text") },
  { argv: ["abort", "fixer"], ...commandTo("abort") },
  { argv: ["pause", "fixer"], ...commandTo("pause") },
  { argv: ["resume", "fixer"], ...commandTo("resume") },
  { argv: ["spawn", "hi", "--harness", "fake"], effect: "would_create", affects: [".claws/workers"], daemon: true },
  { argv: ["delete-session", "demo"], effect: "would_delete", affects: [demo] },
  { argv: ["export", "new.md"], effect: "would_create", affects: ["new.md"] },
  { argv: ["export", "taken.md", "--yes"], effect: "would_update", affects: ["taken.md"] },
  { argv: ["flush-transcript", "hi", "--session-id", "demo"], effect: "would_update", affects: [demo] },
  {
    argv: ["flush-transcript", "hi", "--session-id", "fresh"],
    effect: "would_create",
    affects: [".claw/sessions/fresh.jsonl"],
  },
  { argv: ["run", "hi", "--harness", "claude-code"], effect: "would_update", affects: ["."] },
  {
    argv: ["run", "hi", "--harness", "codex", "--transcript", "run.jsonl"],
    effect: "would_update",
    affects: [".", "run.jsonl"],
  },
  {
    argv: ["init"],
    effect: "would_create",
    affects: [".claw/settings.json", ".claw/.gitignore"],
  },
];

const SEED = chooseSeed();

describe(`a dry run, with CLAW_SEED=${SEED}`, () => {
  test("is tried here for every verb that changes something", () => {
    expect(new Set([...DRY_RUNS.map(({ argv }) => argv), ...BUS_CALLS].map(verbIn))).toEqual(MUTATING);
  });

  test("of a call to the bus says what it would do, the call does it, and its key lets it be done once", async () => {
    const workspace = createWorkspace();
    const { socket } = await startDaemon(workspace);
    endHostAfterTest(workspace);
    await joinAsAudit(socket);
    for (const [effect, argv] of ON_BUS) {
      const keyed = [...argv, "--idempotency-key", argv.join(" ")];
      expect(await clawJson(workspace, [...argv, "--dry-run"])).toMatchObject({ effect });
      expect(await clawJson(workspace, keyed)).toMatchObject({ effect: effect.replace("would_", "").concat("d") });
      const logged = readLog(workspace).filter(isOurs).length;
      expect(await clawJson(workspace, keyed)).toMatchObject({ effect: "noop" });
      expect(readLog(workspace).filter(isOurs)).toHaveLength(logged);
    }
    expect(readFileSync(join(workspace.cwd, "once.txt"), "utf8")).toBe("once\n");
    expect(await clawJson(workspace, ["terminal", "list"])).toMatchObject({ terminals: [] });
  });

  test.each(part(DRY_RUNS, 2, SEED))("of $argv says $effect and changes no byte", async (row) => {
    const { argv, effect, affects, topics = [], daemon, asks } = row;
    const workspace = createStore();
    if (daemon) await startDaemon(workspace);
    await asks?.(workspace);
    const isLog = ([path]: [string, string]): boolean => asks !== undefined && path.startsWith(".claws");
    const treeOf = (folder: string) => Object.entries(readTree(folder)).filter((entry) => !isLog(entry));
    const before = [treeOf(workspace.cwd), treeOf(workspace.home)];
    const answer = await clawJson(workspace, [...argv, "--dry-run", "--idempotency-key", "k1"]);
    const paths = affects.map((path) => join(workspace.cwd, path));
    expect(answer).toMatchObject({ exit_code: 0, effect, would_affect: [...paths, ...topics] });
    expect([treeOf(workspace.cwd), treeOf(workspace.home)]).toEqual(before);
  });

  test("of a new session names no session that could be mistaken for one", async () => {
    const workspace = createStore();
    const before = readTree(workspace.cwd);
    const answer = await clawJson(workspace, ["flush-transcript", "hi", "--dry-run"]);
    expect(answer).toMatchObject({ effect: "would_create", flushed: false, messages_count: 1 });
    expect(readTree(workspace.cwd)).toEqual(before);
  });

  test("without anything to write is the same answer as the real call", async () => {
    const workspace = createStore();
    const before = readTree(workspace.cwd);
    const answer = await clawJson(workspace, ["export", "--dry-run"]);
    expect(answer).toMatchObject({ effect: "noop", file: null, messages: 1 });
    expect(readTree(workspace.cwd)).toEqual(before);
  });

  test("of an export too large for an answer writes no file either", async () => {
    const workspace = createStore();
    seedSession(workspace, "long", undefined, ["x".repeat(6000)]);
    const before = readTree(workspace.cwd);
    const options: RunOptions = { env: { CLAW_MAX_OUTPUT_BYTES: "4000", TMPDIR: workspace.home } };
    await runClaw(workspace, ["export", "--session-id", "long", "--dry-run", "--output-format", "json"], options);
    expect(readTree(workspace.cwd)).toEqual(before);
  });

  test.each([
    ["delete-session", "demo"],
    ["export", "new.md"],
    ["flush-transcript", "hi", "--session-id", "demo"],
  ])("of %s leaves a session with an unfinished last line as it is", async (...argv) => {
    const workspace = createStore();
    tear(workspace);
    const before = readTree(workspace.cwd);
    expect((await clawJson(workspace, [...argv, "--dry-run"]))["exit_code"]).toBe(0);
    expect(readTree(workspace.cwd)).toEqual(before);
  });

  const FAILING: readonly (readonly [code: string, argv: readonly string[]])[] = [
    ["COMMAND_NOT_FOUND", ["exec-command", "nope"]],
    ["PERMISSION_DENIED", ["exec-command", "add-dir", "../outside"]],
    ["CONFIRMATION_REQUIRED", ["exec-command", "export", "taken.md"]],
    ["TOOL_NOT_FOUND", ["exec-tool", "nope"]],
    ["INVALID_FLAG_VALUE", ["exec-tool", "bash"]],
    ["PERMISSION_DENIED", ["exec-tool", "write_file", MADE, "--permission-mode", "read-only"]],
    ["DAEMON_NOT_RUNNING", ["publish", "note.x", "1"]],
    ["INVALID_FLAG_VALUE", ["publish", "note.x", "{"]],
    ["DAEMON_NOT_RUNNING", ["spawn", "hi", "--harness", "fake"]],
    ["FAKE_SCENARIO_NOT_FOUND", ["spawn", "hi", "--harness", "fake", "--scenario", "nope"]],
    ["SESSION_NOT_FOUND", ["delete-session", "nobody"]],
    ["SESSION_PATH_IS_DIRECTORY", ["delete-session", "folder"]],
    ["CONFIRMATION_REQUIRED", ["export", "taken.md"]],
    ["INVALID_OUTPUT_PATH", ["export", "missing/new.md"]],
    ["INVALID_SESSION_ID", ["flush-transcript", "hi", "--session-id", "../demo"]],
    ["SESSION_PATH_IS_DIRECTORY", ["flush-transcript", "hi", "--session-id", "folder"]],
    ["NO_SESSIONS", ["flush-transcript", "hi", "--session-id", "latest", "--cwd", "empty"]],
    ["INVALID_OUTPUT_PATH", ["init", "--cwd", "blocked"]],
  ];

  test.each(FAILING)("of what ends with %s ends with it too: %s", async (code, argv) => {
    const workspace = createStore();
    mkdirSync(sessionFile(workspace, "folder"));
    mkdirSync(join(workspace.cwd, "empty"));
    seedFile(workspace, "blocked/.claw", "a file where a folder should be");
    const [dry, real] = [await clawJson(workspace, [...argv, "--dry-run"]), await clawJson(workspace, argv)];
    expect([dry.error?.code, real.error?.code]).toEqual([code, code]);
    expect(dry.error).toEqual(real.error);
  });
});

const withoutTime = ({ timestamp: _now, ...rest }: Record<string, unknown>): Record<string, unknown> => rest;

/** Verbs of a daemon. Its log also holds who came and went, so what they did is looked for there. */
const KEYED_ON_DAEMON: readonly (readonly string[])[] = [
  ["up"],
  ["publish", "note.x", "1"],
  ["spawn", "hi", "--harness", "fake", "--name", "first", "--wait", "complete"],
  ["rework", "first", "again"],
  ["restart", "first"],
  ["fleet", "fleet.yaml"],
  ["rm", "plan"],
  ["spawn", "hi", "--harness", "fake", "--name", "second", "--wait", "complete"],
  ["prune", "--yes"],
  ["down"],
];

const KEYED_ON_WORKER: readonly (readonly [
  argv: readonly string[],
  prepare: (workspace: Workspace) => Promise<unknown>,
])[] = [
  [["approve", "fixer", "--choose", "B"], withQuestion],
  [["reject", "fixer"], withQuestion],
  [["accept", "fixer"], withReport],
  [["merge", "fixer"], withWork],
  [["send", "fixer", "hi", "--wait", "none"], withFixer],
  [["abort", "fixer", "--wait", "none"], withFixer],
  [["pause", "fixer", "--wait", "none"], withFixer],
  [["resume", "fixer", "--wait", "none"], withFixer],
];

const KEYED: readonly (readonly string[])[] = [
  ["exec-command", "add-dir", "src/util"],
  ["exec-tool", "write_file", MADE],
  ["exec-tool", "bash", "echo once >> said.txt", ...UNCONFINED],
  ["delete-session", "demo"],
  ["export", "new.md", "--session-id", "demo"],
  ["flush-transcript", "only once", "--session-id", "demo"],
  ["flush-transcript", "only once"],
  ["init"],
  ["run", "hi", ...FROM_HERE],
  ["prompt", "hi", ...SCRIPTED],
  ["turn-loop", "hi", ...SCRIPTED],
  ["bootstrap", "hi", ...SCRIPTED],
];

describe(`an idempotency key, with CLAW_SEED=${SEED}`, () => {
  test("is tried here for every verb that changes something", () => {
    const onWorker = KEYED_ON_WORKER.map(([argv]) => argv);
    expect(new Set([...KEYED, ...KEYED_ON_DAEMON, ...onWorker, ...BUS_CALLS].map(verbIn))).toEqual(MUTATING);
  });

  test.each(part(KEYED_ON_WORKER, 2, SEED))("lets a worker be told %j once", async (argv, prepare) => {
    const workspace = createWorkspace();
    await prepare(workspace);
    const keyed = [...argv, "--idempotency-key", "k1"];
    const [first, second] = [await clawJson(workspace, keyed), await clawJson(workspace, keyed)];
    expect(first["effect"]).toMatch(/^(created|updated)$/);
    expect(withoutTime(second)).toEqual({ ...withoutTime(first), effect: "noop" });
  });

  test("lets a daemon be started, told and stopped once", async () => {
    const workspace = createStore();
    stopAfterTest(workspace);
    for (const argv of KEYED_ON_DAEMON) {
      const keyed = [...argv, "--idempotency-key", argv.join(" ")];
      const [first, second] = [await clawJson(workspace, keyed), await clawJson(workspace, keyed)];
      expect(first).toMatchObject({ effect: expect.stringMatching(/^(created|updated|deleted)$/) });
      expect(withoutTime(second)).toEqual({ ...withoutTime(first), effect: "noop" });
    }
    const topics = readLog(workspace).map(({ topic }) => topic);
    expect(topics.filter((topic) => topic === "note.x")).toHaveLength(1);
  });

  test.each(KEYED.map((argv) => [argv.join(" "), argv] as const))("lets '%s' happen once", async (_name, argv) => {
    const workspace = createStore();
    const keyed = [...argv, "--idempotency-key", "k1"];
    const first = await clawJson(workspace, keyed);
    const after = readTree(workspace.cwd);
    const second = await clawJson(workspace, keyed);
    expect(first).toMatchObject({ effect: expect.stringMatching(/^(created|updated|deleted)$/) });
    expect(withoutTime(second)).toEqual({ ...withoutTime(first), effect: "noop" });
    expect(readTree(workspace.cwd)).toEqual(after);
  });

  test("belongs to the call, not to the way its answer is shown", async () => {
    const workspace = createWorkspace();
    const argv = ["flush-transcript", "only once", "--session-id", "demo", "--idempotency-key", "k1"];
    await clawJson(workspace, argv);
    const [flat, response] = [await flatJson(workspace, argv), await responseJson(workspace, argv)];
    expect(flat).toMatchObject({ effect: "noop", messages_count: 1 });
    expect(response.data).toMatchObject({ effect: "noop", messages_count: 1 });
  });

  test("used for another call is refused, and the other call does not happen", async () => {
    const workspace = createStore();
    await clawJson(workspace, ["flush-transcript", "one", "--session-id", "demo", "--idempotency-key", "k1"]);
    const before = readTree(workspace.cwd);
    const calls = [
      ["flush-transcript", "two", "--session-id", "demo"],
      ["delete-session", "demo"],
    ];
    for (const argv of calls) {
      const answer = await clawJson(workspace, [...argv, "--idempotency-key", "k1"]);
      expect(answer.error).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", target: "k1", retryable: false });
    }
    expect(readTree(workspace.cwd)).toEqual(before);
  });

  test("of a call that failed is free for the corrected one", async () => {
    const workspace = createWorkspace();
    const keyed = ["delete-session", "demo", "--idempotency-key", "k1"];
    expect((await clawJson(workspace, keyed)).error?.code).toBe("SESSION_NOT_FOUND");
    seedSession(workspace, "demo");
    expect(await clawJson(workspace, keyed)).toMatchObject({ deleted: true, effect: "deleted" });
  });

  test("shared by calls that run at the same time has one effect", async () => {
    const workspace = createWorkspace();
    const argv = ["flush-transcript", "only once", "--session-id", "demo", "--idempotency-key", "k1"];
    const answers = await Promise.all(Array.from({ length: 4 }, () => clawJson(workspace, argv)));
    expect(answers.map((answer) => String(answer["effect"])).sort()).toEqual(["created", "noop", "noop", "noop"]);
    expect(readFileSync(sessionFile(workspace, "demo"), "utf8").match(/only once/g)).toHaveLength(1);
  });

  test("makes init create the same things as without one", async () => {
    const [plain, keyed] = await Promise.all([
      clawJson(createWorkspace(), ["init"]),
      clawJson(createWorkspace(), ["init", "--idempotency-key", "k1"]),
    ]);
    expect(keyed["created"]).toEqual(plain["created"]);
  });
});

describe("deleting", () => {
  test("what is not there is a not-found answer that says nothing was deleted", async () => {
    expect(await clawJson(createWorkspace(), ["delete-session", "nobody"])).toMatchObject({
      exit_code: 1,
      name: "nobody",
      found: false,
      deleted: false,
      session_id: "nobody",
      status: "not_found",
      error: { kind: "session_not_found", retryable: false },
    });
  });

  test("one named session needs no further consent and leaves the others", async () => {
    const workspace = createStore();
    seedSession(workspace, "other");
    expect(await clawJson(workspace, ["delete-session", "demo"])).toMatchObject({ deleted: true, effect: "deleted" });
    expect(Object.keys(readTree(join(workspace.cwd, ".claw", "sessions")))).toEqual(["other.jsonl"]);
  });

  test("by overwriting needs --yes", async () => {
    const workspace = createStore();
    const taken = join(workspace.cwd, "taken.md");
    expect((await clawJson(workspace, ["export", "taken.md"])).error).toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    expect(readFileSync(taken, "utf8")).toBe("mine");
    expect(await clawJson(workspace, ["export", "taken.md", "--yes"])).toMatchObject({
      effect: "updated",
      file: taken,
    });
    expect(readFileSync(taken, "utf8")).toContain("hello");
  });
});
