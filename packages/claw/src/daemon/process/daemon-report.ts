import { closeSync, constants, fstatSync, lstatSync, renameSync } from "node:fs";
import { createRedactor, LIMITS } from "claw-contract";
import { nodeFileSystem, openUnshared, writeAllBytes, unlessRefused } from "../../files/index.ts";

/** The daemon's own log: what happened to it, one JSON object a line. Secrets are masked. */
export interface DaemonReport {
  /**
   * Never throws on a disk error: the bus runs on without the daemon's own log. Only the event log decides whether the
   * bus can go on.
   */
  write(event: string, details?: Readonly<Record<string, unknown>>): void;
  close(): void;
}

const COPIES = 3;
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** Moves `daemon.log` to `daemon.log.1`, that to `.2`, and forgets the oldest. */
function rotate(path: string): void {
  for (let copy = COPIES; copy > 0; copy -= 1) {
    const from = copy === 1 ? path : `${path}.${copy - 1}`;
    if (lstatSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${copy}`);
  }
}

/** The file, opened anew when it was moved away or has grown too long. */
function currentFile(path: string, fd: number | undefined): number {
  const stats = fd === undefined ? undefined : fstatSync(fd);
  const there = lstatSync(path, { throwIfNoEntry: false });
  const isSame = stats !== undefined && there?.ino === stats.ino;
  const isLong = (there?.size ?? 0) > LIMITS.reportBytes;
  if (fd !== undefined && isSame && !isLong) return fd;
  if (isLong) rotate(path);
  if (fd !== undefined) closeSync(fd);
  return openUnshared(nodeFileSystem, path, APPEND);
}

/** `isOwn` says whether the path still belongs to the daemon. When not, lines go to the file that is already open. */
export function openReport(path: string, now: () => number, isOwn: () => boolean): DaemonReport {
  const redactor = createRedactor();
  let fd: number | undefined;
  return {
    write: (event, details = {}) =>
      unlessRefused(() => {
        const line = { time: new Date(now()).toISOString(), pid: process.pid, event, ...redactor.redactValue(details) };
        if (isOwn()) fd = currentFile(path, fd);
        if (fd !== undefined) writeAllBytes(nodeFileSystem, fd, Buffer.from(`${JSON.stringify(line)}\n`));
      }),
    close: () =>
      unlessRefused(() => {
        if (fd !== undefined) closeSync(fd);
        fd = undefined;
      }),
  };
}
