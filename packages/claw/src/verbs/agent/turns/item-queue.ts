/** Passes items from a writer that must not wait to a reader that takes items at any speed. */
export interface ItemQueue<T> extends AsyncIterable<T> {
  push(...items: readonly T[]): void;
  /** Says that no more items follow. The reader still gets the waiting items. */
  end(): void;
}

/** A queue for a single reader. The queue grows while the reader is slow; the writer limits the number of items. */
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
