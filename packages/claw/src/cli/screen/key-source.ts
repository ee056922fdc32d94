import type { Key } from "./key-decoder.ts";
import { KeyDecoder } from "./key-decoder.ts";

/** Keys that wait for the next input line; further keys are dropped. */
const TYPED_AHEAD_KEYS = 4096;

/** How long to wait after an Esc for the rest of a longer key. */
const SEQUENCE_MS = 40;

type Reader = (key: Key | null) => void;

const isInterrupt = (key: Key): boolean => key.kind === "key" && (key.name === "escape" || key.name === "interrupt");

/**
 * Passes keys to the present reader. Without a reader, interrupts are reported at once; other keys wait, to a limit.
 */
export class KeySource {
  readonly #decoder = new KeyDecoder();
  readonly #waiting: Key[] = [];
  readonly #interrupted: (() => void)[] = [];
  #reader: Reader | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** Takes input from the terminal; null at the end of the input. */
  feed(input: string | null): void {
    clearTimeout(this.#timer);
    if (input === null) return this.#end();
    this.#pass(this.#decoder.feed(input));
    if (this.#decoder.isUndecided()) {
      this.#timer = setTimeout(() => this.#pass(this.#decoder.settle()), SEQUENCE_MS);
    }
  }

  /** Gives every key to a reader, null at the end, until the returned function is called. One reader at a time. */
  read(reader: Reader): () => void {
    this.#reader = reader;
    for (let key = this.#waiting.shift(); key !== undefined; key = this.#waiting.shift()) {
      reader(key);
      if (this.#reader !== reader) break;
    }
    if (this.#isOver && this.#reader === reader) reader(null);
    return () => {
      if (this.#reader === reader) this.#reader = null;
    };
  }

  /** Returns unused keys to the queue, for the next reader. */
  putBack(keys: readonly (Key | null)[]): void {
    this.#waiting.unshift(...keys.filter((key) => key !== null));
  }

  /** Drops keys typed ahead. */
  drain(): void {
    this.#waiting.length = 0;
  }

  watchInterrupt(interrupted: () => void): () => void {
    this.#interrupted.push(interrupted);
    return () => {
      const index = this.#interrupted.indexOf(interrupted);
      if (index !== -1) this.#interrupted.splice(index, 1);
    };
  }

  /** Calls the interrupt listeners. Returns whether there were any. */
  interrupt(): boolean {
    const { length } = this.#interrupted;
    for (const interrupted of this.#interrupted.slice()) interrupted();
    return length > 0;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    this.#isOver = true;
    this.#reader?.(null);
  }

  #pass(keys: readonly Key[]): void {
    for (const key of keys) {
      if (this.#reader !== null) this.#reader(key);
      else if (isInterrupt(key)) this.interrupt();
      else if (this.#waiting.length < TYPED_AHEAD_KEYS) this.#waiting.push(key);
    }
  }
}
