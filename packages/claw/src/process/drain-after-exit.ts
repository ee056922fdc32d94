import type { Readable } from "node:stream";

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
