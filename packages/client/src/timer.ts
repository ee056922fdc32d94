import { platform } from "./platform.ts";

/** Time and chance. */
export interface Timer {
  /** Milliseconds since 1970. */
  now(): number;
  /** At least 0, less than 1. */
  random(): number;
  /** Calls `run` once after `ms` milliseconds. The returned function cancels the call, unless it has already run. */
  after(ms: number, run: () => void): () => void;
}

export const systemTimer: Timer = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms, run) => {
    const handle = platform.setTimeout(run, ms);
    return () => platform.clearTimeout(handle);
  },
};
