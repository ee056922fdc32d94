/** Lines that stand behind each other in the same bytes, gathered to be copied at once. */
export interface AsciiSpan {
  /** Takes the bytes of a line, without its LF. */
  add(bytes: Uint8Array, start: number, end: number): void;
  /** Hands over the gathered lines. The bytes may be overwritten afterwards. */
  end(): void;
}

/**
 * Gives `take` as many lines at a time as stand together, joined by LF. Serves the rows `claw run` of `harness`: the
 * bytes of an agent are stored as they came, without being encoded again.
 */
export function createAsciiSpan(take: (lines: Uint8Array) => void): AsciiSpan {
  let source: Uint8Array | null = null;
  let from = 0;
  let to = 0;
  const end = (): void => {
    if (source !== null) take(source.subarray(from, to));
    source = null;
  };
  return {
    add(bytes, start, stop) {
      if (source !== bytes || start !== to + 1) {
        end();
        source = bytes;
        from = start;
      }
      to = stop;
    },
    end,
  };
}
