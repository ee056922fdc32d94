/** Calls `run` a moment later. */
export type Soon = (run: () => void) => void;

/** Collects callbacks, to run all of them with a single timer. */
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
