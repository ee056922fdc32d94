import { promises, write } from "node:fs";
import { errnoOf } from "../files/index.ts";
import type { Ports } from "../verbs/index.ts";

export type ProcessStage = Ports["stage"];
export type Ending = Parameters<ProcessStage["leave"]>[0];

const RETRY_MS = 5;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const GONE = new Set(["EPIPE", "EBADF", "ECONNRESET"]);

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Writes without blocking, so that signals are heard while a reader is slow. */
async function writeAll(fd: 1 | 2, bytes: Uint8Array): Promise<boolean> {
  for (let offset = 0; offset < bytes.length;) {
    const outcome = await new Promise<number | string>((resolve) => {
      write(fd, bytes, offset, (error, written) => resolve(error === null ? written : (errnoOf(error) ?? "unknown")));
    });
    if (typeof outcome === "number") offset += outcome;
    else if (GONE.has(outcome)) return false;
    else if (outcome === "EAGAIN") await pause(RETRY_MS);
    else throw new Error(`cannot write: ${outcome}`);
  }
  return true;
}

function waitUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const end = (): void => {
      signal.removeEventListener("abort", abort);
      resolve();
    };
    // A timer keeps the process there; for ever is one that begins again.
    const timer = Number.isFinite(ms) ? setTimeout(end, ms) : setInterval(() => {}, LONGEST_TIMER_MS);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

/** The process as a verb may use it that plays another program; `ending` is what that came to. */
export function createProcessStage(): ProcessStage & { ending(): Ending | undefined } {
  let ended: Ending | undefined;
  return {
    write: (to, bytes) => writeAll(to === "stdout" ? 1 : 2, bytes),
    wait: waitUntil,
    writeFile: (path, text) => promises.writeFile(path, text),
    onSignal(told) {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => told(name));
    },
    uuid: () => crypto.randomUUID(),
    now: () => new Date(),
    leave(ending) {
      ended = ending;
    },
    ending: () => ended,
  };
}
