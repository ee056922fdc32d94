import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DRY_RUNS, KEYED, KEYED_ON_DAEMON, KEYED_ON_WORKER, MADE, ON_BUS } from "./mutating-calls.ts";
import { chooseSeed } from "../reliability/random.ts";
import { joinAsAudit } from "./answering-peer.ts";
import type { Frame } from "./daemon-process.ts";
import { readLog, startDaemon, stopAfterTest } from "./daemon-process.ts";
import { part } from "./effort.ts";
import { readTree } from "./read-tree.ts";
import type { RunOptions } from "./run-claw.ts";
import { clawJson, flatJson, responseJson, runClaw } from "./run-claw.ts";
import { FINE, putAgentHere } from "./script-agent.ts";
import { seedFile, seedSession, sessionFile } from "./seed.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

function createStore(): Workspace {
  const workspace = createWorkspace();
  seedSession(workspace, "demo");
  seedFile(workspace, "taken.md", "mine");
  seedFile(workspace, "fleet.yaml", "name: docs\nworkers:\n  - { name: plan, mission: plan it, harness: fake }\n");
  putAgentHere(workspace, FINE);
  return workspace;
}

const tear = (workspace: Workspace): void => appendFileSync(sessionFile(workspace, "demo"), '{"type":"mess');

/** Not what the daemon tells by itself, when it comes to it: who came and went, and how terminals are. */
const isOurs = ({ topic }: Frame): boolean =>
  !/^(system\.(?!broadcast)|vehicle\.|command\.|wave\..*\.harvested$)/.test(String(topic));

const SEED = chooseSeed();

describe(`a dry run, with CLAW_SEED=${SEED}`, () => {
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
    const { argv, effect, affects, topics = [], daemon, asks, env } = row;
    const workspace = createStore();
    if (daemon) await startDaemon(workspace);
    await asks?.(workspace);
    // The daemon writes its log, and removes the socket of a worker some time after the worker has ended.
    const isDaemons = ([path]: [string, string]): boolean =>
      asks !== undefined && /^\.claws|^\.local\/state\/claw\/\w+\/workers\//.test(path);
    const treeOf = (folder: string) => Object.entries(readTree(folder)).filter((entry) => !isDaemons(entry));
    const before = [treeOf(workspace.cwd), treeOf(workspace.home)];
    const answer = await clawJson(workspace, [...argv, "--dry-run", "--idempotency-key", "k1"], {
      env: env?.(workspace) ?? {},
    });
    const relative = typeof affects === "function" ? affects(workspace) : affects;
    const paths = relative.map((path) => join(workspace.cwd, path));
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

describe(`an idempotency key, with CLAW_SEED=${SEED}`, () => {
  const onWorker = part(KEYED_ON_WORKER, 2, SEED).map(([argv, prepare, envOf]) => ({ argv, prepare, envOf }));

  test.each(onWorker)("lets a worker be told $argv once", async ({ argv, prepare, envOf }) => {
    const workspace = createWorkspace();
    await prepare(workspace);
    const keyed = [...argv, "--idempotency-key", "k1"];
    const options: RunOptions = { env: envOf?.(workspace) ?? {} };
    const [first, second] = [await clawJson(workspace, keyed, options), await clawJson(workspace, keyed, options)];
    expect(first["effect"]).toMatch(/^(created|updated|deleted)$/);
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
