import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { createByteQueue } from "./byte-buffers.ts";
import { endGuarded } from "./tree/end-tree.ts";
import type { EndingTimes } from "./tree/end-tree.ts";
import type { ProcessTree } from "./tree/process-tree.ts";
import { markedEnvironment } from "./tree/process-tree.ts";
import type { WatchedTree } from "./tree/tree-watch.ts";
import { watchTree } from "./tree/tree-watch.ts";

/** A pipe counts as empty when no bytes arrive for this long after the exit of the process. */
const QUIET_MS = 100;
/** More than a pipe can hold: bytes beyond this come from another process with the pipe open. */
const MAX_DRAINED_BYTES = 1024 * 1024;
/** After so many checks of a pipe that is never quiet, all output of the ended process must have been read. */
const MAX_LOOKS = 10;

export interface Draining {
  readonly exited: Promise<unknown>;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Bytes that were read and wait for the consumer. */
  readonly waitingBytes: () => number;
}

/**
 * Closes the pipes of a process after its exit, once its output was read. A grandchild may keep the pipes open for
 * ever, so this does not wait for the pipes' own end.
 */
export function drainAfterExit({ exited, stdout, stderr, waitingBytes }: Draining): void {
  let drained = 0;
  let looks = 0;
  const close = (): void => {
    stdout.destroy();
    stderr.destroy();
  };
  const look = (before: number): void => {
    if (stdout.destroyed) return close();
    if (drained > MAX_DRAINED_BYTES && waitingBytes() === 0) return close();
    // While a slow consumer pauses the pipe, no bytes are read, so this check says nothing about the pipe.
    if (!stdout.isPaused()) looks += 1;
    const isQuiet = drained === before && !stdout.isPaused();
    if (isQuiet || looks >= MAX_LOOKS) return close();
    wait();
  };
  const wait = (): void => {
    const before = drained;
    // In a busy process the timer may fire before bytes that already arrived are read; an immediate runs after that
    // read.
    setTimeout(() => setImmediate(look, before), QUIET_MS).unref();
  };
  const begin = (): void => {
    const count = (chunk: Uint8Array): void => {
      drained += chunk.length;
    };
    stdout.on("data", count);
    stderr.on("data", count);
    wait();
  };
  void exited.then(begin);
}

export interface ProcessRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the caller will write to the process's stdin. Otherwise stdin is empty. */
  readonly input: boolean;
  /** How many bytes of the output are read ahead of the reader. */
  readonly aheadBytes: number;
  /** Receives the bytes the process writes to stderr, as they arrive. */
  readonly onStderr: (chunk: Uint8Array) => void;
  readonly ending: EndingTimes;
}

/** How a process ended; both are null when the process did not disappear after being killed. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A process in a new session, with a mark in its environment by which its descendants are found. The caller always
 * calls `end`. When this process is killed before, a watching process ends the whole tree.
 */
export interface OpenProcess {
  readonly pid: number;
  /** Finds the process and all its descendants. */
  readonly tree: ProcessTree;
  /**
   * The bytes the process writes to stdout, for one reader. Ends when the pipe is closed, or soon after the process has
   * ended: a grandchild that keeps the pipe open does not delay the end.
   */
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves when the process itself has ended, or was killed and did not disappear. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Resolves when stderr has ended, possibly after the exit. */
  readonly stderrEnded: Promise<void>;
  /** Resolves with true when all text was handed over, false when the process reads no more. Never rejects. */
  write(text: string): Promise<boolean>;
  /** Closes stdin after the last write. Idempotent. */
  closeInput(): void;
  /**
   * Ends the process with all its descendants, politely and then firmly; also descendants that outlived it. Resolves
   * when done, with whether any process still ran. Idempotent.
   */
  end(): Promise<boolean>;
}

/** Starts a process. Rejects with the error of the system when it cannot be started. */
export async function openProcess(request: ProcessRequest): Promise<OpenProcess> {
  const watched = watchTree();
  const child = await startChild(request, watched);
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
    // The program keeps running while its commands end. Closing stdin now might end the program first.
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
    write: (text) => writeInput(stdin, text),
    closeInput: () => void stdin?.end(),
    end: () => (ending ??= end()),
  };
}

function watchExit(child: ChildProcess): { exited: Promise<ProcessExit>; giveUp: (afterMs: number) => void } {
  let settle: (exit: ProcessExit) => void;
  const exited = new Promise<ProcessExit>((resolve) => (settle = resolve));
  child.once("exit", (exitCode, signal) => settle({ exitCode, signal }));
  // After a long block, Node runs due timers before exit events. The extra turn lets a pending exit event settle first.
  const giveUp = (afterMs: number): void => {
    setTimeout(() => setImmediate(() => settle({ exitCode: null, signal: null })), afterMs).unref();
  };
  return { exited, giveUp };
}

function startChild(request: ProcessRequest, watched: WatchedTree): Promise<ChildProcess> {
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

function writeInput(stdin: Writable | null, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (stdin === null || !stdin.writable) return resolve(false);
    // A destroyed stream may report no error.
    stdin.write(text, (error) => resolve(!error && !stdin.destroyed));
  });
}
