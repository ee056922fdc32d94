/** Items of one who must not wait, for one who takes them as they come. */
export interface ItemQueue<T> extends AsyncIterable<T> {
  push(...items: readonly T[]): void;
  /** Says that nothing more will come. What waits is still given out. */
  end(): void;
}

/** A queue for one reader. It is as long as its reader is slow: whoever fills it decides how much that may be. */
export function createItemQueue<T>(): ItemQueue<T> {
  let waiting: T[] = [];
  let isOver = false;
  let wake: () => void = () => undefined;
  async function* read(): AsyncGenerator<T> {
    for (;;) {
      const items = waiting;
      waiting = [];
      yield* items;
      if (waiting.length > 0) continue;
      if (isOver) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    push: (...items) => {
      waiting.push(...items);
      wake();
    },
    end: () => {
      isOver = true;
      wake();
    },
    [Symbol.asyncIterator]: read,
  };
}
