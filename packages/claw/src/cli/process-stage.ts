import { promises } from "node:fs";
import type { Ports } from "../verbs/index.ts";
import { createOrderedWriter } from "./output/write-all.ts";

export type ProcessStage = Ports["stage"];
export type Ending = Parameters<ProcessStage["leave"]>[0];

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const ORDINARY_COLUMNS = 80;

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
    // A timer keeps the process alive; an endless wait uses a repeating timer.
    const timer = Number.isFinite(ms) ? setTimeout(end, ms) : setInterval(() => {}, LONGEST_TIMER_MS);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

/** The process, for a verb that plays another program. `ending` returns how the played program ended. */
export function createProcessStage(): ProcessStage & { ending(): Ending | undefined } {
  let ended: Ending | undefined;
  const writers = { stdout: createOrderedWriter(1), stderr: createOrderedWriter(2) };
  return {
    write: (to, bytes) => writers[to](bytes),
    wait: waitUntil,
    writeFile: (path, text) => promises.writeFile(path, text),
    onSignal(told) {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => told(name));
    },
    rawInput() {
      if (process.stdin.isTTY) process.stdin.setRawMode(true);
    },
    columns: () => process.stdout.columns ?? ORDINARY_COLUMNS,
    uuid: () => crypto.randomUUID(),
    now: () => new Date(),
    leave(ending) {
      ended = ending;
    },
    ending: () => ended,
  };
}
