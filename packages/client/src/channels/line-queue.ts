/** Lines between the wire and the one who reads them. */
export interface LineQueue {
  push(lines: readonly string[]): void;
  /** No lines follow. Those already there can still be taken. */
  end(): void;
  /** Ends at once; what is there is dropped. */
  clear(): void;
  /** Everything there is, or the next lines to come; none after the end. */
  take(): Promise<readonly string[]>;
  /** UTF-16 units of the lines nobody has taken. */
  waiting(): number;
}

/** `taken` is told after lines were taken, so that the wire can be read again. */
export function createLineQueue(taken: () => void): LineQueue {
  let lines: string[] = [];
  let size = 0;
  let ended = false;
  let reader: ((lines: readonly string[]) => void) | undefined;

  const hand = (): readonly string[] => {
    const all = lines;
    lines = [];
    size = 0;
    return all;
  };
  const wake = (): void => {
    const waiting = reader;
    if (waiting === undefined || (lines.length === 0 && !ended)) return;
    reader = undefined;
    waiting(hand());
  };
  const end = (): void => {
    ended = true;
    wake();
  };
  return {
    push: (more) => {
      if (ended) return;
      for (const line of more) {
        lines.push(line);
        size += line.length;
      }
      wake();
    },
    end,
    clear: () => {
      hand();
      end();
    },
    take: () => {
      if (lines.length === 0 && !ended) {
        return new Promise((resolve) => {
          reader = resolve;
        });
      }
      const all = hand();
      taken();
      return Promise.resolve(all);
    },
    waiting: () => size,
  };
}
