import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorCode } from "claw-contract";
import { DISPATCH_ERRORS, errorRow, errorsOf, exitNumber } from "claw-contract";
import { VERBS } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import { chooseSeed } from "../reliability/random.ts";
import { APPROVAL_PROVOCATIONS } from "./approval-provocations.ts";
import { joinAsAudit } from "./answering-peer.ts";
import type { Frame } from "./daemon-process.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import { startDaemon } from "./daemon-process.ts";
import { part } from "./effort.ts";
import { playDaemon, playDeafDaemon, playRefusingDaemon } from "./fake-daemon.ts";
import type { Snapshot } from "./provocations.ts";
import {
  admitStrangers,
  canMount,
  cutOffKeyedCall,
  declaredCodes,
  IS_ROOT,
  keyFile,
  lockFile,
  META,
  holdFile,
  mountDisk,
  NOBODY,
  pidOfKeyed,
  preload,
  putLock,
  putSession,
  seed,
  sessionsFolder,
  snapshot,
} from "./provocations.ts";
import type { RunOptions } from "./run-claw.ts";
import { clawJson, flatJson, responseJson, runClaw } from "./run-claw.ts";
import { FINE, FROM_HERE, putAgentHere, refusedBy } from "./script-agent.ts";
import { FORMS, WORKER_PROVOCATIONS } from "./worker-provocations.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const ON_WINDOWS = 'Object.defineProperty(process, "platform", { value: "win32" });';

/** A call that must fail, in a folder that was made ready for it. */
interface Scene {
  readonly args: readonly string[];
  readonly options?: RunOptions;
  /** What happens to the call while it runs. */
  readonly during?: () => Promise<void>;
  /** A daemon runs, whose files under .claws change as it likes. */
  readonly daemon?: true;
  /** Even its failure has something to say. */
  readonly speaks?: true;
  /** The call waits for seconds, so that its four forms had better wait together. */
  readonly slow?: true;
}

interface Provocation {
  /** What not every machine can give. */
  readonly needs?: "root" | "mount";
  readonly prepare: (workspace: Workspace) => Scene | Promise<Scene>;
}

const call = (...args: string[]): Provocation => ({ prepare: () => ({ args }) });

const onSession = (content: string, ...args: string[]): Provocation => ({
  prepare: (workspace) => {
    putSession(workspace, "s", content);
    return { args };
  },
});

/** A call to a daemon that runs. */
const onDaemon = (...args: string[]): Provocation => ({
  prepare: async (workspace) => {
    await startDaemon(workspace);
    return { args, daemon: true };
  },
});

/** A run of an agent that does this. */
const onAgent = (script: string, ...args: string[]): Provocation => ({
  prepare: (workspace) => {
    putAgentHere(workspace, script);
    return { args: ["run", "hi", ...FROM_HERE, ...args], speaks: true };
  },
});

/** A call to something that answers hello as told. */
const onAnswer = (hello: Frame): Provocation => ({
  prepare: async (workspace) => {
    await playDaemon(workspace, () => hello);
    return { args: ["peers"] };
  },
});

/** A call to a daemon that asks for a token, whose file was changed. */
const onToken = (change: (file: string) => void): Provocation => ({
  prepare: async (workspace) => {
    const { token_file } = await startDaemon(workspace, "--require-token");
    change(token_file ?? "");
    return { args: ["peers"], daemon: true };
  },
});

/** A server of tools that has to start, and cannot. */
const BROKEN_SERVER = JSON.stringify({ mcpServers: { gone: { command: "/nowhere/server", required: true } } });

/** A prompt for a model that plays this. */
const onScript = (script: object): Provocation => ({
  prepare: ({ cwd }) => {
    writeFileSync(join(cwd, "script.json"), JSON.stringify(script));
    const env = { CLAW_API_ATTEMPTS: "1" };
    return { args: ["-p", "hi", "--model", "scripted:script.json"], options: { env } };
  },
});

/** A prompt for a model that fails so. */
const onModelError = (code: ErrorCode): Provocation => onScript({ turns: [{ error: { code } }] });

/** A call at a daemon that refuses every request. */
const onRefusal = (refusal: Frame, ...args: string[]): Provocation => ({
  prepare: (workspace) => playRefusingDaemon(workspace, refusal).then(() => ({ args })),
});

const PROVOCATIONS: Partial<Record<ErrorCode, Provocation>> = {
  ...APPROVAL_PROVOCATIONS,
  ...WORKER_PROVOCATIONS,
  UNKNOWN_COMMAND: call("lst-sessions"),
  UNKNOWN_SLASH_COMMAND: call("/boguscommand"),
  COMMAND_RENAMED: call("session", "list"),
  COMMAND_NOT_FOUND: call("show-command", "weather"),
  TOOL_NOT_FOUND: call("show-tool", "weather"),
  PERMISSION_DENIED: call("exec-command", "add-dir", "../outside"),
  INVALID_HISTORY_COUNT: call("exec-command", "history", "many"),
  CONFIG_INVALID: {
    prepare: ({ cwd }) => {
      writeFileSync(join(cwd, ".claw.json"), "{");
      return { args: ["exec-tool", "bash", "true"] };
    },
  },
  INVALID_TOOL_NAME: call("-p", "hi", "--model", "scripted", "--allowed-tools", "weather"),
  MCP_CONFIG_INVALID: call("-p", "hi", "--model", "scripted", "--mcp-config", "nowhere.json"),
  MCP_SERVER_UNAVAILABLE: call("-p", "hi", "--model", "scripted", "--mcp-config", BROKEN_SERVER),
  MODEL_SCRIPT_NOT_FOUND: call("-p", "hi", "--model", "scripted:nowhere.json"),
  MODEL_SCRIPT_INVALID: onScript({ turns: [{ blocks: "none" }] }),
  CONTEXT_WINDOW_EXCEEDED: onModelError("CONTEXT_WINDOW_EXCEEDED"),
  PAYMENT_REQUIRED: onModelError("PAYMENT_REQUIRED"),
  RETRIES_EXHAUSTED: onModelError("RETRIES_EXHAUSTED"),
  UPSTREAM_UNREACHABLE: onModelError("UPSTREAM_UNREACHABLE"),
  TOOL_FAILED: { prepare: () => ({ args: ["exec-tool", "read_file", "nofile"], speaks: true }) },
  TOKEN_EXPIRED: onModelError("TOKEN_EXPIRED"),
  TURN_TIMEOUT: call("turn-loop", "hi", "--model", "scripted", "--timeout-seconds", "0"),
  INTERACTIVE_ONLY: call(),
  UNKNOWN_OPTION: call("version", "--frobnicate"),
  UNEXPECTED_ARGUMENTS: call("version", "surplus"),
  MISSING_FLAG_VALUE: call("list-sessions", "--limit"),
  INVALID_FLAG_VALUE: call("list-sessions", "--limit", "many"),
  INVALID_OUTPUT_FORMAT: call("version", "--output-format", "yaml"),
  MISSING_ARGUMENT: call("load-session"),
  MISSING_PROMPT: call("flush-transcript", " "),
  PLATFORM_UNSUPPORTED: {
    prepare: (workspace) => ({ args: ["ps"], options: { env: preload(workspace, ON_WINDOWS) } }),
  },
  INVALID_CWD: call("list-sessions", "--cwd", "not-there"),
  UNSUPPORTED_CONFIG_SECTION: call("config", "colours"),
  HELP_TOPIC_NOT_FOUND: call("help", "weather"),
  RECORDING_NOT_FOUND: call("parse-stream", "none.ndjson", "--harness", "codex"),
  SCHEMA_NOT_FOUND: call("schema", "weather"),
  INVALID_PERMISSION_MODE: call("status", "--permission-mode", "everything"),
  INVALID_MODEL: call("status", "--model", "two words"),
  NO_SESSIONS: call("load-session", "latest"),
  SESSION_NOT_FOUND: call("load-session", "nowhere"),
  INVALID_SESSION_ID: call("load-session", "../../etc/passwd"),
  INVALID_CURSOR: onSession(`${META}\n`, "list-sessions", "--cursor", "nowhere"),
  SESSION_CORRUPT: onSession(`${META}\n{"type":\n${META}\n`, "load-session", "s"),
  SESSION_VERSION_UNSUPPORTED: onSession(`${META.replace('"version":1', '"version":99')}\n`, "load-session", "s"),
  INVALID_OUTPUT_PATH: onSession(`${META}\n`, "export", "."),
  HARNESS_NOT_FOUND: call("run", "hi", "--harness", "codex", "--env", "PATH=/nowhere"),
  HARNESS_NOT_EXECUTABLE: {
    prepare: (workspace) => {
      putAgentHere(workspace, FINE, 0o644);
      return { args: ["run", "hi", ...FROM_HERE] };
    },
  },
  HARNESS_FAILED: onAgent("exit 7"),
  IDLE_TIMEOUT: onAgent("exec sleep 600", "--idle-timeout-seconds", "0.2"),
  RATE_LIMIT_EXCEEDED: onAgent(refusedBy(429)),
  UPSTREAM_REJECTED: onAgent(refusedBy(404)),
  UPSTREAM_UNAVAILABLE: onAgent(refusedBy(529)),
  REQUEST_TOO_LARGE: {
    prepare: (workspace) => {
      putAgentHere(workspace, FINE);
      return { args: ["run", ...FROM_HERE], options: { stdin: "x".repeat(17 * 1024 * 1024) } };
    },
  },
  NO_SUCH_TOKEN: onDaemon("tokens", "revoke", "nobody"),
  TASK_NOT_FOUND: onDaemon("tasks", "cancel", "t_999"),
  WAVE_NOT_FOUND: onDaemon("wave", "status", "w9"),
  PIPELINE_NOT_FOUND: onDaemon("pipeline", "close", "pipe_9999"),
  LIFECYCLE_REFUSED: onDaemon("lifecycle", "advance", "SPAWN"),
  RPC_FAILED: {
    prepare: async (workspace) => {
      await joinAsAudit((await startDaemon(workspace)).socket);
      return { args: ["rpc", "call", "audit", "explode"], daemon: true };
    },
  },
  EXEC_FAILED: {
    prepare: async (workspace) => {
      await startDaemon(workspace);
      endHostAfterTest(workspace);
      await clawJson(workspace, ["terminal", "create", "--name", "build"]);
      return { args: ["terminal", "exec", "build", "echo broken; false"], daemon: true, speaks: true };
    },
  },
  DAEMON_RUNNING: onDaemon("up", "--tee"),
  DAEMON_NOT_RUNNING: call("peers"),
  DAEMON_FAILED: call("up", "--socket", "x".repeat(200)),
  PUBLISH_FORBIDDEN: onDaemon("publish", "system.peer.left", '{"peerId":"p_1","role":"worker","reason":"clean"}'),
  PUBLISH_INVALID: onDaemon("publish", "cmd.p_000001.abort", "{}"),
  PUBLISH_NOT_STORED: onRefusal({ error: "event-log:write-failed" }, "publish", "note.x", "1"),
  MACHINE_AWAY: onRefusal({ error: "away", code: "MACHINE_AWAY" }, "diff", "fixer"),
  BUS_REFUSED: onAnswer({ ok: false, error: "no room" }),
  BUS_INCOMPATIBLE: onAnswer({ ok: true, peerId: "p_000001" }),
  BUS_UNREACHABLE: {
    prepare: (workspace) => {
      playDeafDaemon(workspace);
      return { args: ["peers"] };
    },
  },
  TOKEN_MISSING: onToken((file) => rmSync(file)),
  TOKEN_INVALID: onToken((file) => writeFileSync(file, "nonsense")),
  CONFIRMATION_REQUIRED: {
    prepare: ({ cwd, home }) => {
      putSession({ cwd, home }, "s", `${META}\n`);
      writeFileSync(join(cwd, "notes.md"), "mine");
      return { args: ["export", "notes.md"] };
    },
  },
  SESSION_UNREADABLE: {
    prepare: (workspace) => {
      const path = putSession(workspace, "s", "");
      unlinkSync(path);
      symlinkSync("/etc/passwd", path);
      return { args: ["load-session", "s"] };
    },
  },
  SESSION_PATH_IS_DIRECTORY: {
    prepare: (workspace) => {
      mkdirSync(join(sessionsFolder(workspace), "s.jsonl"), { recursive: true });
      return { args: ["load-session", "s"] };
    },
  },
  FAKE_SCENARIO_NOT_FOUND: call("fake-agent", "--scenario", "nothing-like-it"),
  FAKE_SCENARIO_INVALID: {
    prepare: ({ cwd }) => {
      writeFileSync(join(cwd, "mine.json"), '{"steps":[{"type":"dance"}]}');
      return { args: ["fake-agent", "--scenario", "mine.json"] };
    },
  },
  DOCTOR_FAILED: {
    prepare: ({ cwd }) => {
      writeFileSync(join(cwd, ".claw.json"), "{");
      return { args: ["doctor"], speaks: true };
    },
  },
  FILESYSTEM_ERROR: {
    prepare: ({ cwd }) => {
      writeFileSync(join(cwd, ".claw"), "a file where a folder belongs");
      return { args: ["flush-transcript", "hello"] };
    },
  },
  FILE_ACCESS_DENIED: {
    needs: "root",
    prepare: async (workspace) => {
      await seed(workspace, "s");
      admitStrangers(workspace);
      return { args: ["list-sessions"], options: { uid: NOBODY } };
    },
  },
  SESSION_DELETE_FAILED: {
    needs: "mount",
    prepare: (workspace) => {
      holdFile(putSession(workspace, "s", `${META}\n`));
      return { args: ["delete-session", "s"] };
    },
  },
  DISK_FULL: {
    needs: "mount",
    prepare: async (workspace) => {
      mountDisk(workspace);
      await seed(workspace, "s");
      fillDisk(join(workspace.cwd, "ballast"));
      return { args: ["flush-transcript", "x".repeat(8000), "--session-id", "s"] };
    },
  },
  READ_ONLY_FILESYSTEM: {
    needs: "mount",
    prepare: async (workspace) => {
      const disk = mountDisk(workspace);
      await seed(workspace, "s");
      disk.makeReadOnly();
      return { args: ["flush-transcript", "more", "--session-id", "s"] };
    },
  },
  SESSION_LOCKED: {
    prepare: (workspace) => {
      putSession(workspace, "s", `${META}\n`);
      putLock(lockFile(workspace, "s"));
      return { args: ["flush-transcript", "hello", "--session-id", "s"], slow: true };
    },
  },
  IDEMPOTENCY_KEY_BUSY: {
    prepare: (workspace) => {
      putLock(`${keyFile(workspace, "k")}.lock`);
      return { args: ["init", "--idempotency-key", "k"], slow: true };
    },
  },
  IDEMPOTENCY_KEY_REUSED: {
    prepare: async (workspace) => {
      await clawJson(workspace, ["flush-transcript", "one", "--session-id", "s", "--idempotency-key", "k"]);
      return { args: ["flush-transcript", "two", "--session-id", "s", "--idempotency-key", "k"] };
    },
  },
  IDEMPOTENCY_OUTCOME_UNKNOWN: {
    prepare: async (workspace) => {
      const args = ["flush-transcript", "one", "--session-id", "s"];
      putSession(workspace, "s", `${META}\n`);
      putLock(lockFile(workspace, "s"));
      await cutOffKeyedCall(workspace, args, "k");
      rmSync(lockFile(workspace, "s"), { recursive: true });
      return { args: [...args, "--idempotency-key", "k"] };
    },
  },
  TIMEOUT: {
    prepare: (workspace) => {
      putSession(workspace, "s", `${META}\n`);
      putLock(lockFile(workspace, "s"));
      return { args: ["flush-transcript", "hello", "--session-id", "s", "--timeout-seconds", "0.2"] };
    },
  },
  CANCELLED: {
    prepare: (workspace) => {
      putSession(workspace, "s", `${META}\n`);
      putLock(lockFile(workspace, "s"));
      return {
        args: ["flush-transcript", "hello", "--session-id", "s", "--idempotency-key", "k"],
        during: async () => void process.kill(await pidOfKeyed(workspace, "k"), "SIGTERM"),
      };
    },
  },
  INTERNAL_ERROR: {
    prepare: (workspace) => {
      const broken = `require("node:fs").readdirSync = () => { throw new TypeError("broken on purpose"); };`;
      return { args: ["list-sessions"], options: { env: preload(workspace, broken) } };
    },
  },
};

/** Fills a disk to its last byte. */
function fillDisk(path: string): void {
  const fd = openSync(path, "w");
  const fill = (size: number): void => {
    try {
      for (;;) writeSync(fd, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  };
  fill(4096);
  fill(1);
  closeSync(fd);
}

const expectedCodes = (): ErrorCode[] => {
  const ofVerbs = Object.values(VERBS).flatMap((verb) => errorsOf(verb));
  return [...new Set([...ofVerbs, ...DISPATCH_ERRORS])].toSorted();
};

async function checkClaw(workspace: Workspace, code: ErrorCode, { args, options }: Scene): Promise<void> {
  const row = errorRow(code);
  const body = await clawJson(workspace, args, options);
  expect(body.error?.code).toBe(code);
  expect(body).toMatchObject({ type: "error", kind: row.kind, exit_code: row.exit === "TIMEOUT" ? 2 : 1 });
  expect(body.error).toMatchObject({
    kind: row.lookup ? row.kind : row.class,
    retryable: row.retryable,
    phase: row.phase,
    hint: expect.stringMatching(/\S/) as string,
    operation: expect.stringMatching(/^[a-z][a-z_]*$/) as string,
    target: expect.stringMatching(/\S/) as string,
    message: expect.stringMatching(/\S/) as string,
  });
  expect(body["hint"]).toBe(body.error?.["hint"]);
  expect(body["hint"]).not.toMatch(/<[a-z]+>|claw [a-z -]+ (ID|NAME|WORKER|TEXT|FILE|PROMPT)\b/);
  if (row.lookup) expect(body).toMatchObject({ name: body.error?.["target"], found: false });
  else expect(body).not.toHaveProperty("found");
  expect(declaredCodes(body)).toContain(code);
}

async function checkFlat(workspace: Workspace, code: ErrorCode, { args, options }: Scene): Promise<void> {
  const body = await flatJson(workspace, args, options);
  expect(body).toMatchObject({ type: "error", kind: errorRow(code).kind, code });
  expect(body["error"]).toMatch(/\S/);
  expect(body["hint"]).toMatch(/\S/);
}

async function checkResponse(workspace: Workspace, code: ErrorCode, { args, options }: Scene): Promise<void> {
  const row = errorRow(code);
  const { exitCode, error, data } = await responseJson(workspace, args, options);
  expect(data).toBeNull();
  expect(error).toMatchObject({
    code,
    retryable: row.retryable || row.exit === "ARG_ERROR" || row.exit === "REDIRECTED" || code === "TOKEN_EXPIRED",
    phase: row.phase,
    suggestion: expect.stringMatching(/\S/) as string,
    operation: expect.stringMatching(/\S/) as string,
    target: expect.stringMatching(/\S/) as string,
  });
  expect(exitCode).toBe(code === "CANCELLED" ? 143 : exitNumber(row.exit));
  if (row.exit === "REDIRECTED") expect(error?.["redirect"]).toMatchObject({ permanent: true, reason: "renamed" });
}

/** For people: nothing on stdout but an answer, and on stderr what is wrong and what to do. */
async function checkText(workspace: Workspace, code: ErrorCode, { args, options, speaks }: Scene): Promise<void> {
  if (code === "INTERACTIVE_ONLY" || code === "INVALID_OUTPUT_FORMAT") return;
  const { exitCode, stdout, stderr } = await runClaw(workspace, args, options);
  if (!speaks) expect(stdout).toBe("");
  expect(stderr).toContain(`error[${errorRow(code).kind}]: `);
  expect(stderr).toMatch(/^next: \S/m);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(exitCode).toBe(code === "CANCELLED" ? 143 : errorRow(code).exit === "TIMEOUT" ? 2 : 1);
}

/** Each code is seen in the default form; in `npm run soak` in all forms. */
const CHECKS = [checkClaw, checkFlat, checkResponse, checkText].slice(0, FORMS);

/** What a failed call left: no lock and no temporary file may be new, and nothing that was there may be another. */
function leftBehind(before: Snapshot, after: Snapshot): string[] {
  return [
    ...after.transient.filter((path) => !before.transient.includes(path)),
    ...Object.entries(before.lasting).flatMap(([path, content]) => (after.lasting[path] === content ? [] : [path])),
  ];
}

const asItIs = (whole: Snapshot): Snapshot => whole;

const isDaemons = (path: string): boolean => path.startsWith(".claws");

const withoutDaemon = ({ lasting, transient }: Snapshot): Snapshot => ({
  lasting: Object.fromEntries(Object.entries(lasting).filter(([path]) => !isDaemons(path))),
  transient: transient.filter((path) => !isDaemons(path)),
});

/** What appeared. A call that was refused before it began may have made nothing at all. */
const appeared = (before: Snapshot, after: Snapshot): string[] =>
  Object.keys(after.lasting).filter((path) => !Object.hasOwn(before.lasting, path));

const SEED = chooseSeed();

describe(`error codes, with CLAW_SEED=${SEED}`, () => {
  test("every code that a command declares can be provoked, and no other code is in the table", () => {
    expect(Object.keys(PROVOCATIONS).toSorted()).toEqual(expectedCodes());
  });

  const probe = mkdtempSync(join(tmpdir(), "claw-mount-"));
  const able = { root: IS_ROOT, mount: canMount(probe) };
  rmSync(probe, { recursive: true });

  test.for(part(Object.entries(PROVOCATIONS) as [ErrorCode, Provocation][], 2, SEED))(
    "%s looks the same in every envelope and leaves nothing behind",
    async ([code, { needs, prepare }], { skip }) => {
      if (needs !== undefined && !able[needs]) skip(`this machine gives no ${needs} rights`);
      const workspace = createWorkspace();
      const scene = await prepare(workspace);
      const look = (): Snapshot => (scene.daemon ? withoutDaemon : asItIs)(snapshot(workspace.cwd));
      const before = look();
      for (const group of scene.slow ? [CHECKS] : CHECKS.map((check) => [check])) {
        await Promise.all([scene.during?.(), ...group.map((check) => check(workspace, code, scene))]);
        const after = look();
        expect(leftBehind(before, after)).toEqual([]);
        expect(errorRow(code).phase === "validation" ? appeared(before, after) : []).toEqual([]);
      }
    },
  );
});
