import type { Readable } from "node:stream";

/** How long nothing must arrive after a process has ended until its pipe counts as empty. */
const QUIET_MS = 100;
/** More than a pipe can hold: whatever comes beyond is from somebody else who has it open. */
const MAX_DRAINED_BYTES = 1024 * 1024;
/** So many times it is read again and is not quiet: long enough for all the process can have left there. */
const MAX_LOOKS = 10;

export interface Draining {
  readonly exited: Promise<unknown>;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What was read and waits for its reader. */
  readonly waitingBytes: () => number;
}

/**
 * Closes the pipes of a process once it has ended and what it wrote was read. A grandchild may keep them open for
 * ever, so their own end is not waited for.
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
    // While its reader takes its time nothing is read, and nothing told by that.
    if (!stdout.isPaused()) looks += 1;
    const isQuiet = drained === before && !stdout.isPaused();
    if (isQuiet || looks >= MAX_LOOKS) return close();
    wait();
  };
  const wait = (): void => {
    const before = drained;
    // A timer of a busy process may fire before what has arrived meanwhile was read; an immediate runs after that.
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
