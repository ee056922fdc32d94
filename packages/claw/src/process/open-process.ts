import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { createByteQueue } from "./byte-queue.ts";
import { drainAfterExit } from "./drain-after-exit.ts";
import { endGuarded } from "./tree/end-guarded.ts";
import type { EndingTimes } from "./tree/end-tree.ts";
import type { ProcessTree } from "./tree/process-tree.ts";
import { markedEnvironment } from "./tree/tree-mark.ts";
import type { WatchedTree } from "./tree/tree-watch.ts";
import { watchTree } from "./tree/tree-watch.ts";

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

/**
 * A process in a session of its own, marked so that what it starts is known by the mark. Its caller calls `end` in any
 * case. When this process is killed before, another ends all of it.
 */
export interface OpenProcess {
  readonly pid: number;
  /** By which it is found with everything it started. */
  readonly tree: ProcessTree;
  /**
   * What it writes to stdout, for one reader. Over when the pipe is closed, or soon after the process has ended:
   * a grandchild that keeps the pipe open is not waited for.
   */
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves when the process itself has ended, or was killed and did not go away. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Resolves when nothing more comes from stderr, which may be after the exit. */
  readonly stderrEnded: Promise<void>;
  /** Resolves with true when all was handed over, false when nobody takes it any more. Never rejects. */
  write(text: string): Promise<boolean>;
  /** Says that nothing more will be written. Idempotent. */
  closeInput(): void;
  /**
   * Ends it with everything it started, politely and then firmly; also what it left behind when it has ended itself.
   * Resolves when that is done, with whether any of it still ran. Idempotent.
   */
  end(): Promise<boolean>;
}

/** Starts a process. Rejects with the error of the system when it cannot be started. */
export async function openProcess(request: ProcessRequest): Promise<OpenProcess> {
  const watched = watchTree();
  const child = await start(request, watched);
  const pid = child.pid as number;
  const tree = watched.began(pid, request.ending.commandsMs);
  const { stdin, stdout, stderr } = child as { stdin: Writable | null; stdout: Readable; stderr: Readable };
  const { exited, giveUp } = watchExit(child);
  const output = createByteQueue(request.aheadBytes, () => stdout.resume());
  stdout.on("data", (chunk: Buffer) => {
    if (!output.push(chunk)) stdout.pause();
  });
  stdout.once("close", () => output.end());
  stderr.on("data", request.onStderr);
  const stderrEnded = new Promise<void>((resolve) => stderr.once("close", () => resolve()));
  for (const stream of [stdin, stdout, stderr]) stream?.on("error", () => stream.destroy());
  drainAfterExit({ exited, stdout, stderr, waitingBytes: output.waitingBytes });
  let ending: Promise<boolean> | undefined;
  const end = async (): Promise<boolean> => {
    // While its commands end the process goes on; at the end of its input it might not.
    if (request.ending.commandsMs === undefined) stdin?.destroy();
    const ran = await endGuarded(tree, request.ending);
    stdin?.destroy();
    watched.over();
    giveUp(request.ending.firmMs);
    await exited;
    return ran;
  };
  return {
    pid,
    tree,
    output,
    exited,
    stderrEnded,
    write: (text) => write(stdin, text),
    closeInput: () => void stdin?.end(),
    end: () => (ending ??= end()),
  };
}

function watchExit(child: ChildProcess): { exited: Promise<ProcessExit>; giveUp: (afterMs: number) => void } {
  let settle: (exit: ProcessExit) => void;
  const exited = new Promise<ProcessExit>((resolve) => (settle = resolve));
  child.once("exit", (exitCode, signal) => settle({ exitCode, signal }));
  // A process that was held up runs its timers first and hears of the exit after them, so the exit gets one more turn.
  const giveUp = (afterMs: number): void => {
    setTimeout(() => setImmediate(() => settle({ exitCode: null, signal: null })), afterMs).unref();
  };
  return { exited, giveUp };
}

function start(request: ProcessRequest, watched: WatchedTree): Promise<ChildProcess> {
  const { cwd, input } = request;
  const [file, ...args] = request.argv;
  const env = markedEnvironment(request.env, watched.mark);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: [input ? "pipe" : "ignore", "pipe", "pipe"], detached: true });
    child.once("error", (error) => {
      watched.over();
      reject(error);
    });
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
