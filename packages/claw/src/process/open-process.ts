import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { createByteQueue } from "./byte-queue.ts";
import { drainAfterExit } from "./drain-after-exit.ts";
import { endGuarded } from "./end-guarded.ts";
import type { EndingTimes } from "./process-group.ts";
import { groupRuns, signalTo } from "./process-group.ts";

export interface ProcessRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether something will be written to it. Otherwise it has nothing to read. */
  readonly input: boolean;
  /** How much is read ahead of whoever reads the output. */
  readonly aheadBytes: number;
  /** Gets what it writes to stderr, as it comes. */
  readonly onStderr: (chunk: Uint8Array) => void;
  readonly ending: EndingTimes;
}

/** How a process ended; both are null when it did not go away although it was killed. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process in a group of its own. Whoever opened it reads its output to the end, or calls `end`. */
export interface OpenProcess {
  readonly pid: number;
  /**
   * What it writes to stdout, for one reader. Over when the pipe is closed, or soon after the process has ended:
   * a grandchild that keeps the pipe open is not waited for.
   */
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves when the process itself has ended, or was killed and did not go away. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Resolves with true when all was handed over, false when nobody takes it any more. Never rejects. */
  write(text: string): Promise<boolean>;
  /** Says that nothing more will be written. Idempotent. */
  closeInput(): void;
  /** Ends it with everything it started, politely and then firmly. Resolves when that is done. Idempotent. */
  end(): Promise<void>;
  /** Whether something of its group still runs. */
  leftovers(): boolean;
}

/** Starts a process. Rejects with the error of the system when it cannot be started. */
export async function openProcess(request: ProcessRequest): Promise<OpenProcess> {
  const child = await start(request);
  const pid = child.pid as number;
  const { stdin, stdout, stderr } = child as { stdin: Writable | null; stdout: Readable; stderr: Readable };
  const { exited, giveUp } = watchExit(child);
  const output = createByteQueue(request.aheadBytes, () => stdout.resume());
  stdout.on("data", (chunk: Buffer) => {
    if (!output.push(chunk)) stdout.pause();
  });
  stdout.once("close", () => output.end());
  stderr.on("data", request.onStderr);
  for (const stream of [stdin, stdout, stderr]) stream?.on("error", () => stream.destroy());
  drainAfterExit({ exited, stdout, stderr, waitingBytes: output.waitingBytes });
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    stdin?.destroy();
    await endGuarded(pid, request.ending);
    giveUp(request.ending.firmMs);
    await exited;
  };
  return {
    pid,
    output,
    exited,
    write: (text) => write(stdin, text),
    closeInput: () => void stdin?.end(),
    end: () => (ending ??= end()),
    leftovers: () => groupRuns(pid),
  };
}

/** Leaders of groups that this process must not leave behind when it exits. */
const running = new Set<number>();

function killRunning(): void {
  for (const pid of running) signalTo(-pid, "SIGKILL");
}

/** Waits for the end of a process, and sees to it that this process does not leave it behind when it exits. */
function watchExit(child: ChildProcess): { exited: Promise<ProcessExit>; giveUp: (afterMs: number) => void } {
  const pid = child.pid as number;
  if (running.size === 0) process.once("exit", killRunning);
  running.add(pid);
  let settle: (exit: ProcessExit) => void;
  const exited = new Promise<ProcessExit>((resolve) => (settle = resolve));
  child.once("exit", (exitCode, signal) => {
    running.delete(pid);
    if (running.size === 0) process.off("exit", killRunning);
    settle({ exitCode, signal });
  });
  const giveUp = (afterMs: number): void => {
    setTimeout(() => settle({ exitCode: null, signal: null }), afterMs).unref();
  };
  return { exited, giveUp };
}

function start({ argv: [file, ...args], cwd, env, input }: ProcessRequest): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: [input ? "pipe" : "ignore", "pipe", "pipe"], detached: true });
    child.once("error", reject);
    child.once("spawn", () => resolve(child));
  });
}

function write(stdin: Writable | null, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (stdin === null || !stdin.writable) return resolve(false);
    // A stream that is destroyed tells of no error.
    stdin.write(text, (error) => resolve(!error && !stdin.destroyed));
  });
}
