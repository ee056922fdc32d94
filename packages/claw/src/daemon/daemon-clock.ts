/** Looks at the time when something is due, and soon after anything has happened; never otherwise. */
export interface DaemonClock {
  /** Says that something happened which may have brought something closer. */
  touch(): void;
  stop(): void;
}

/** How long after something happened time is looked at. Everything of that time is looked at together. */
const SOON_MS = 250;

/** The longest a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** Lateness of a timer, or a jump of the time of day, from which on the process counts as having slept. */
const SLEPT_MS = 5000;

/** Turns of the loop before a look: each reads once from every socket that has something. */
const READING_TURNS = 3;

export interface Times {
  /** The time of day, in milliseconds; it jumps when the machine slept or somebody sets it. */
  readonly now: () => number;
  /** Milliseconds that nobody can set. */
  readonly steady: () => number;
  /** Calls back once whatever had arrived by now was read; turns of the loop see to that unless something else does. */
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
 * `look` does what is due and says when there is more to do, in milliseconds; Infinity when nothing is waited for. It is
 * told whether the process slept before, and called when the signs of life that arrived meanwhile were read: after a
 * sleep, timers run before sockets are read.
 */
export function startClock(look: (slept: boolean) => number, times: Times): DaemonClock {
  const { afterReading = afterTurns } = times;
  const hasSlept = createSleepWatch(times);
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let isSoon = false;
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
      const next = look(slept);
      if (!isSoon) arm(Math.max(SOON_MS, next - times.now()));
    });
  };
  const touch = (): void => {
    if (isSoon) return;
    isSoon = true;
    arm(SOON_MS);
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
