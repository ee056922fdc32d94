/** Looks for due work at its time, and soon after each activity; never otherwise. */
export interface DaemonClock {
  /** Announces activity, for example a frame. Activity may bring the next due time closer. */
  touch(): void;
  stop(): void;
}

/** Delay between an activity and the look for due work. One look covers every activity within the delay. */
const SOON_MS = 250;

/**
 * A look that takes long, because there are thousands of workers, is not made four times a second: activity is looked at
 * after this many times the time of the last look, and after two seconds at most. Serves "busiest of 3 daemons" of bench
 * cluster.
 */
const LOOK_SHARE = 40;
const LONGEST_SOON_MS = 2000;

/** The longest a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** Lateness of a timer, or a jump of the time of day, from which on the process counts as having slept. */
const SLEPT_MS = 5000;

/** Turns of the loop before a look: each reads once from every socket that has something. */
const READING_TURNS = 3;

export interface Times {
  /** The time of day, in milliseconds. Jumps when the machine slept or a user sets the clock. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock, which no user can set. */
  readonly steady: () => number;
  /** Calls back once all input that had arrived by now is read. The default waits a few turns of the event loop. */
  readonly afterReading?: (done: () => void) => void;
}

/** Says whether the process, or the whole machine, has slept since it was last asked. */
function createSleepWatch({ now, steady }: Times): (dueAt: number) => boolean {
  let [day, ran] = [now(), steady()];
  return (dueAt) => {
    const jump = now() - day - (steady() - ran);
    [day, ran] = [now(), steady()];
    return jump > SLEPT_MS || ran - dueAt > SLEPT_MS;
  };
}

function afterTurns(done: () => void, turns = READING_TURNS): void {
  setImmediate(() => (turns > 1 ? afterTurns(done, turns - 1) : done()));
}

/**
 * `look` does the due work and returns the time of the next due work, in milliseconds; Infinity when no work waits.
 * `look` is told whether the process slept before. The clock calls `look` after the signs of life that arrived
 * meanwhile are read: after a sleep, timers run before sockets are read.
 */
export function startClock(look: (slept: boolean) => number, times: Times): DaemonClock {
  const { afterReading = afterTurns } = times;
  const hasSlept = createSleepWatch(times);
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let isSoon = false;
  let soonMs = SOON_MS;
  let stopped = false;
  const arm = (delayMs: number): void => {
    clearTimeout(timer);
    timer = undefined;
    const waitMs = Math.min(delayMs, LONGEST_MS);
    dueAt = times.steady() + waitMs;
    if (Number.isFinite(delayMs) && !stopped) timer = setTimeout(run, waitMs);
  };
  const run = (): void => {
    const slept = hasSlept(dueAt);
    isSoon = true;
    afterReading(() => {
      isSoon = false;
      if (stopped) return;
      const begunAt = times.steady();
      const next = look(slept);
      soonMs = Math.max(SOON_MS, Math.min(LOOK_SHARE * (times.steady() - begunAt), LONGEST_SOON_MS));
      if (!isSoon) arm(Math.max(SOON_MS, next - times.now()));
    });
  };
  const touch = (): void => {
    if (isSoon) return;
    isSoon = true;
    arm(Math.max(SOON_MS, Math.min(soonMs, dueAt - times.steady())));
  };
  touch();
  return {
    touch,
    stop: () => {
      stopped = true;
      arm(Infinity);
    },
  };
}
