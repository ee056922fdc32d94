import { LIMITS } from "@claw/contract";
import type { Stop } from "./be-worker.ts";

/** What a worker says in the end. Nobody may be there to hear it, so whoever is to go does not wait without end. */
export interface Farewell {
  /** The worker was told to go, before or while it says them. */
  stopped(reason: Stop): void;
  /** Resolves with the exit code when they are said, or when there is no more time for them. */
  say(saying: Promise<number>): Promise<number>;
}

const TOLD_EXIT = 143;

const later = (code: number): Promise<number> =>
  new Promise((resolve) => setTimeout(resolve, LIMITS.workerLastWordsMs, code).unref());

export function createFarewell(): Farewell {
  let go: (code: number) => void = () => undefined;
  const told = new Promise<number>((resolve) => (go = resolve));
  return {
    stopped: ({ kind }) => {
      if (kind !== "aborted") go(kind === "told" ? TOLD_EXIT : 1);
    },
    say: (saying) => Promise.race([saying, told.then(later)]),
  };
}
