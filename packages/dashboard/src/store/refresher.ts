/** Least time between two answers of the daemon that follow from events. */
const LEAST_MS = 400;
/** A slow daemon is asked less often: the wait is this many times the last answer's time. */
const SHARE = 10;
/** Most time between two answers, because a busy machine makes every daemon look slow. */
const MOST_MS = 5000;

export interface Refresher {
  /** Asks soon; many calls of one moment lead to one request. */
  wake(): void;
  /** Asks at once, or as soon as the running request has ended. */
  now(): void;
  stop(): void;
}

export interface RefresherDeps {
  /** Must not reject. */
  readonly refresh: () => Promise<void>;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly now: () => number;
}

/** Runs `refresh` at most every few hundred milliseconds, never twice at once, and always once more after the last call. */
export function createRefresher({ refresh, after, now }: RefresherDeps): Refresher {
  const state = { isRunning: false, isWanted: false, isStopped: false, isUrgent: false, notBefore: -Infinity };
  let cancel: (() => void) | undefined;
  const run = async (): Promise<void> => {
    cancel = undefined;
    state.isRunning = true;
    state.isWanted = false;
    state.isUrgent = false;
    const began = now();
    await refresh();
    state.isRunning = false;
    state.notBefore = state.isUrgent
      ? -Infinity
      : now() + Math.min(MOST_MS, Math.max(LEAST_MS, (now() - began) * SHARE));
    if (state.isWanted) plan();
  };
  const plan = (): void => {
    if (state.isRunning || state.isStopped || cancel !== undefined) return;
    cancel = after(Math.max(0, state.notBefore - now()), () => void run());
  };
  const ask = (isUrgent: boolean): void => {
    state.isWanted = true;
    if (isUrgent) {
      state.isUrgent = true;
      state.notBefore = -Infinity;
      cancel?.();
      cancel = undefined;
    }
    plan();
  };
  return {
    wake: () => ask(false),
    now: () => ask(true),
    stop: () => {
      state.isStopped = true;
      cancel?.();
    },
  };
}
