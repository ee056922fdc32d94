import type { Stop } from "../be-worker.ts";

/** How long a worker may take to publish final events after the worker was told to end. */
const WORKER_LAST_WORDS_MS = 8000;

/** The last events of a worker. The bus may be unreachable, so a worker told to end waits only for a limited time. */
export interface LastEvents {
  /** The worker was told to end, before or during its last events. */
  stopped(reason: Stop): void;
  /** Resolves with the exit code when the last events are published, or when the time for them is over. */
  say(saying: Promise<number>): Promise<number>;
}

const SIGTERM_EXIT = 143;

const later = (code: number): Promise<number> =>
  new Promise((resolve) => setTimeout(resolve, WORKER_LAST_WORDS_MS, code).unref());

export function createLastEvents(): LastEvents {
  let go: (code: number) => void = () => undefined;
  const signalled = new Promise<number>((resolve) => (go = resolve));
  return {
    stopped: ({ kind }) => {
      if (kind !== "aborted") go(kind === "signalled" ? SIGTERM_EXIT : 1);
    },
    say: (saying) => Promise.race([saying, signalled.then(later)]),
  };
}
