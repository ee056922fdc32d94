import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { connectFrames, jsonLines, onLines, wholeLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import { spawnDaemon } from "../../packages/claw/src/daemon/index.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { textOf } from "./provocations.ts";
import type { Ended } from "./run-claw.ts";
import { BINARY } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment, secretFile } from "./workspace.ts";

/** What `up` says of the daemon it started. */
export interface Daemon {
  readonly pid: number;
  readonly socket: string;
  readonly http: string | null;
  readonly token_file: string | null;
}

export const clawsFile = ({ cwd }: Workspace, name: string): string => join(cwd, ".claws", name);

/** Whether a process is there and not merely waiting to be collected. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === undefined || !/\) [ZX] /.test(stat);
}

/** How long a daemon may take to end before it is killed. */
const STOP_MS = 20_000;

/** Ends the daemon of a folder once the test is over, however it went. A signal costs less than a call of `claw down`. */
export function stopAfterTest(workspace: Workspace): void {
  onTestFinished(async () => {
    const record = textOf(clawsFile(workspace, "daemon.json"));
    if (record === undefined) return;
    const { pid } = JSON.parse(record) as { pid: number };
    const isDaemon = (): boolean => isAlive(pid) && textOf(`/proc/${pid}/cmdline`)?.includes(BINARY) === true;
    if (!isDaemon()) return;
    process.kill(pid, "SIGTERM");
    const deadline = Date.now() + STOP_MS;
    await until(`daemon ${pid} to end`, () => !isDaemon() || Date.now() > deadline);
    if (isDaemon()) process.kill(pid, "SIGKILL");
  });
}

/** Starts a daemon in the background as `claw up` does, without the process of that call. It ends with the test. */
export async function startDaemon(workspace: Workspace, ...flags: string[]): Promise<Daemon> {
  stopAfterTest(workspace);
  const { cwd, upFlags = [] } = workspace;
  const up = ["up", "--foreground", "--output-format=json", "--envelope=claw", `--cwd=${cwd}`, ...upFlags, ...flags];
  const request = { cwd, argv: [process.execPath, BINARY, ...up] as const, env: cleanEnvironment(workspace) };
  const { pid, socket, http, token } = await spawnDaemon(request, new AbortController().signal);
  // Where it is depends on the home, and that of this process is another.
  return { pid, socket, http, token_file: token === null ? null : secretFile(workspace, "orchestrator.token") };
}

/** Ends a process that leaves no time to tidy up, and waits until it is gone. */
export async function killHard(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  await until(`process ${pid} to be gone`, () => !isAlive(pid));
}

/** A call that goes on while the test does. */
export interface LiveCall {
  readonly pid: number;
  /** Lines of stdout so far. */
  readonly lines: string[];
  readonly ended: Promise<Ended>;
  line(what: string, fits: (line: string) => boolean): Promise<string>;
  /** Stops reading, as a reader that has seen enough. */
  hangUp(): void;
}

export function beginClaw(workspace: Workspace, args: readonly string[], env?: NodeJS.ProcessEnv): LiveCall {
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd: workspace.cwd,
    env: cleanEnvironment(workspace, env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const ended = outputOf(child);
  onLines(child.stdout, (line) => void lines.push(line));
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    lines,
    ended,
    line: (what, fits) => until(what, () => lines.find(fits)),
    hangUp: () => child.stdout.destroy(),
  };
}

export type Frame = Readonly<Record<string, unknown>>;

/** A client that writes its frames by hand. */
export interface WireClient {
  /** Sends a command; resolves with the answer that carries its id. */
  ask(frame: Frame): Promise<Frame>;
  /** Says hello; resolves with the peer id. */
  hello(role: string, more?: Frame): Promise<string>;
  publish(topic: string, payload: unknown): Promise<Frame>;
  /** Sends a frame and waits for nothing. */
  send(frame: Frame): void;
  /** Everything that came so far. */
  frames(): readonly Frame[];
  /** Messages pushed so far. */
  messages(): Frame[];
  close(): void;
}

export async function connectWire(socketPath: string): Promise<WireClient> {
  const { socket, frames, send } = await connectFrames(socketPath);
  let numbers = 0;
  onTestFinished(() => void socket.destroy());
  const ask = (frame: Frame): Promise<Frame> => {
    const id = (numbers += 1);
    send({ id, ...frame });
    return until(`an answer to ${JSON.stringify(frame)}`, () => frames.find(({ rid }) => rid === id));
  };
  return {
    ask,
    hello: async (role, more = {}) => {
      const reply = await ask({ cmd: "hello", protocol: "claws/2", role, peerName: role, ...more });
      expect(reply).toMatchObject({ ok: true });
      return String(reply["peerId"]);
    },
    publish: (topic, payload) => ask({ cmd: "publish", topic, payload }),
    send,
    frames: () => frames,
    messages: () => frames.filter(({ push }) => push === "message"),
    close: () => void socket.end(),
  };
}

/** Everything in the log, in order; a line that is being written is not there yet. */
export function readLog(workspace: Workspace): Frame[] {
  const text = readFileSync(join(clawsFile(workspace, "log"), "000000000001.jsonl"), "utf8");
  return jsonLines(wholeLines(text));
}
