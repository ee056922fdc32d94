/** Calls back a moment later. */
export type Soon = (run: () => void) => void;

/** Gathers what is to be done soon, so that one timer does for all of it. */
export function createSoon(ms: number): Soon {
  let waiting: (() => void)[] = [];
  const runAll = (): void => {
    const due = waiting;
    waiting = [];
    for (const run of due) run();
  };
  return (run) => {
    if (waiting.push(run) === 1) setTimeout(runAll, ms);
  };
}
