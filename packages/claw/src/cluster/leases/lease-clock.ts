/** Milliseconds of a clock that never goes back, and its timers. */
export interface LeaseClock {
  readonly now: () => number;
  /** Calls back once, after the given time. Returns what cancels it. */
  after(delayMs: number, call: () => void): () => void;
}

export const MONOTONIC: LeaseClock = {
  now: () => performance.now(),
  after: (delayMs, call) => {
    const timer = setTimeout(call, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
