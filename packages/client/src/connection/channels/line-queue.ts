/** Lines that were read from the wire and wait for the reader. */
export class LineQueue {
  readonly #taken: () => void;
  #lines: string[] = [];
  #size = 0;
  #ended = false;
  #reader: ((lines: readonly string[]) => void) | undefined;

  /** `taken` is called after waiting lines were taken, so that the wire can be read again. */
  constructor(taken: () => void) {
    this.#taken = taken;
  }

  push(lines: readonly string[]): void {
    if (this.#ended) return;
    for (const line of lines) {
      this.#lines.push(line);
      this.#size += line.length;
    }
    if (this.#lines.length > 0) this.#wake();
  }

  /** No lines follow. Those already there can still be taken. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Ends at once and drops the waiting lines. */
  clear(): void {
    this.#hand();
    this.end();
  }

  /** Resolves with all waiting lines, or with the next lines to arrive; with no lines after the end. */
  take(): Promise<readonly string[]> {
    if (this.#lines.length === 0 && !this.#ended) {
      return new Promise((resolve) => {
        this.#reader = resolve;
      });
    }
    const lines = this.#hand();
    this.#taken();
    return Promise.resolve(lines);
  }

  /** Length of the waiting lines, in UTF-16 units. */
  waiting(): number {
    return this.#size;
  }

  #hand(): readonly string[] {
    const lines = this.#lines;
    this.#lines = [];
    this.#size = 0;
    return lines;
  }

  #wake(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.(this.#hand());
  }
}
