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

/** `look` does what is due and says when there is more to do, in milliseconds; Infinity when nothing is waited for. */
export function startClock(look: () => number, now: () => number): DaemonClock {
  let timer: NodeJS.Timeout | undefined;
  let isSoon = false;
  let stopped = false;
  const arm = (delayMs: number): void => {
    clearTimeout(timer);
    timer = undefined;
    if (Number.isFinite(delayMs) && !stopped) timer = setTimeout(run, Math.min(delayMs, LONGEST_MS));
  };
  const run = (): void => {
    isSoon = false;
    const next = look();
    if (!isSoon) arm(Math.max(SOON_MS, next - now()));
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
