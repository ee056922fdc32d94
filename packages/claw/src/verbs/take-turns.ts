/** Lets so many pieces of work go on at a time; the others wait for their turn, first come first served. */
export function createTurns(limit: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // Whoever waits takes over the turn.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
