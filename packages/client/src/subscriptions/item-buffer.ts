export interface BufferLimits {
  readonly items: number;
  readonly size: number;
}

interface Taker<Item> {
  readonly resolve: (result: IteratorResult<Item, undefined>) => void;
  readonly reject: (error: Error) => void;
}

const DONE: IteratorResult<never, undefined> = { done: true, value: undefined };
const LOW = 0.25;

/** Buffers items between a producer and a consumer; the consumer takes single items. */
export class ItemBuffer<Item> {
  readonly #limits: BufferLimits;
  readonly #given: (item: Item) => void;
  #items: { item: Item; size: number }[] = [];
  #takers: Taker<Item>[] = [];
  #size = 0;
  #ended = false;
  #failure: Error | undefined;

  /** `given` is called for each item that was handed to the consumer. */
  constructor(limits: BufferLimits, given: (item: Item) => void) {
    this.#limits = limits;
    this.#given = given;
  }

  push(item: Item, size: number): void {
    if (this.#ended) return;
    const taker = this.#takers.shift();
    if (taker !== undefined) {
      taker.resolve({ done: false, value: item });
      return this.#given(item);
    }
    this.#items.push({ item, size });
    this.#size += size;
    return undefined;
  }

  /** Whether the waiting items have reached a limit. `push` takes further items all the same. */
  full(): boolean {
    return this.#items.length >= this.#limits.items || this.#size >= this.#limits.size;
  }

  /** Whether few enough items wait to ask for more. */
  low(): boolean {
    return this.#items.length <= this.#limits.items * LOW && this.#size <= this.#limits.size * LOW;
  }

  /** Removes waiting items that the consumer has not taken yet. */
  drop(unwanted: (item: Item) => boolean): void {
    this.#items = this.#items.filter(({ item }) => !unwanted(item));
    this.#size = this.#items.reduce((sum, { size }) => sum + size, 0);
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const first = this.#items.shift();
    if (first !== undefined) {
      this.#size -= first.size;
      this.#given(first.item);
      return Promise.resolve({ done: false, value: first.item });
    }
    if (!this.#ended) return new Promise((resolve, reject) => void this.#takers.push({ resolve, reject }));
    const failure = this.#failure;
    this.#failure = undefined;
    return failure === undefined ? Promise.resolve(DONE) : Promise.reject(failure);
  }

  /**
   * Ends the buffer. Without an error, waiting items are dropped. With an error, the consumer first gets the waiting
   * items and then the error, once.
   */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    if (error === undefined) this.#items = [];
    const [first, ...rest] = this.#takers;
    this.#takers = [];
    if (first === undefined) this.#failure = error;
    else if (error === undefined) first.resolve(DONE);
    else first.reject(error);
    for (const taker of rest) taker.resolve(DONE);
  }
}
