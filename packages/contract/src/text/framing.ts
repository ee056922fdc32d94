/** The byte that ends a line. */
export const LF = 0x0a;

export interface LineFramerOptions {
  /** Longest line that is kept, in bytes without the LF. */
  readonly maxLineBytes: number;
  /** Whether bytes of a line may be overwritten by the next call, which spares memory when lines are long. */
  readonly reusesMemory?: boolean;
}

/** One line of a byte stream. Every line has a number, from 1; blank, torn and oversize lines count too. */
export type FramedLine =
  /** A whole line without the LF; a CR before the LF is kept. */
  | { readonly kind: "line"; readonly lineNumber: number; readonly bytes: Uint8Array }
  /** A line over the limit. The content is lost; `bytes` is the full length. */
  | { readonly kind: "oversize"; readonly lineNumber: number; readonly bytes: number }
  /** The bytes behind the last LF when the stream ended. */
  | { readonly kind: "torn"; readonly lineNumber: number; readonly bytes: Uint8Array };

export interface LineFramer {
  /**
   * Takes the next chunk and returns the lines it completes, in order. Bytes of a line may be a view into the chunk:
   * a caller that reuses its chunks decodes or copies them first.
   */
  push(chunk: Uint8Array): FramedLine[];
  /** Ends the stream and returns the rest: no line, a torn line, or an oversize line. */
  end(): FramedLine[];
  /** Length so far of the incomplete line, also beyond the limit, for callers that prefer to close the connection. */
  pendingBytes(): number;
}

/**
 * Cuts a byte stream into lines at LF bytes only. The same bytes give the same lines for every division into chunks.
 * Holds at most `maxLineBytes`. Takes time linear in the pushed bytes.
 */
export function createLineFramer({ maxLineBytes, reusesMemory = false }: LineFramerOptions): LineFramer {
  if (!Number.isSafeInteger(maxLineBytes) || maxLineBytes < 1) {
    throw new RangeError(`maxLineBytes must be a positive integer, not ${maxLineBytes}`);
  }
  const pending = createPendingLine(maxLineBytes, reusesMemory);
  let lineNumber = 1;

  const finish = (kind: "line" | "torn", tail: Uint8Array): FramedLine => {
    const total = pending.length() + tail.length;
    const number = lineNumber;
    lineNumber += 1;
    if (total > maxLineBytes) {
      pending.clear();
      return { kind: "oversize", lineNumber: number, bytes: total };
    }
    return { kind, lineNumber: number, bytes: pending.take(tail) };
  };

  return {
    push(chunk) {
      pending.reclaim();
      const lines: FramedLine[] = [];
      let start = 0;
      for (let lf = chunk.indexOf(LF); lf !== -1; lf = chunk.indexOf(LF, start)) {
        lines.push(finish("line", chunk.subarray(start, lf)));
        start = lf + 1;
      }
      if (start < chunk.length) pending.append(chunk.subarray(start));
      return lines;
    },
    end: () => (pending.length() === 0 ? [] : [finish("torn", new Uint8Array(0))]),
    pendingBytes: () => pending.length(),
  };
}

interface PendingLine {
  length(): number;
  append(part: Uint8Array): void;
  /** Returns the pending bytes followed by `tail`; afterwards no bytes are pending. */
  take(tail: Uint8Array): Uint8Array;
  clear(): void;
  /** The caller no longer uses the taken bytes. */
  reclaim(): void;
}

/** The start of a line without its LF. Doubles the buffer, so many small chunks cost no more than one large chunk. */
function createPendingLine(maxBytes: number, reusesMemory: boolean): PendingLine {
  let buffer = new Uint8Array(0);
  let length = 0;
  /** Whether the caller may still look at the buffer. */
  let isLent = false;

  const clear = (): void => {
    buffer = new Uint8Array(0);
    length = 0;
    isLent = false;
  };
  const reclaim = (): void => {
    if (isLent && !reusesMemory) clear();
    isLent = false;
  };
  const append = (part: Uint8Array): void => {
    if (isLent) clear();
    const start = length;
    length += part.length;
    if (length > maxBytes) {
      buffer = new Uint8Array(0);
      return;
    }
    if (length > buffer.length) {
      const grown = new Uint8Array(Math.min(maxBytes, Math.max(length, buffer.length * 2)));
      grown.set(buffer.subarray(0, start));
      buffer = grown;
    }
    buffer.set(part, start);
  };
  const take = (tail: Uint8Array): Uint8Array => {
    if (length === 0) return tail;
    append(tail);
    const line = buffer.subarray(0, length);
    length = 0;
    isLent = true;
    return line;
  };
  return { length: () => length, append, take, clear, reclaim };
}
