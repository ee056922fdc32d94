/** Lines between the wire and the one who reads them. */
export class LineQueue {
  readonly #taken: () => void;
  #lines: string[] = [];
  #size = 0;
  #ended = false;
  #reader: ((lines: readonly string[]) => void) | undefined;

  /** `taken` is told after lines that waited were taken, so that the wire can be read again. */
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

  /** Ends at once; what is there is dropped. */
  clear(): void {
    this.#hand();
    this.end();
  }

  /** Everything there is, or the next lines to come; none after the end. */
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

  /** UTF-16 units of the lines nobody has taken. */
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
