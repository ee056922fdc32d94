/** Chunks between a writer that cannot wait and a slow reader. */
export interface ByteQueue extends AsyncIterable<Uint8Array> {
  /** Adds a chunk. Returns false when the writer should pause until `onRoom` is called. */
  push(chunk: Uint8Array): boolean;
  /** No more chunks will come; waiting chunks are still read. Idempotent. */
  end(): void;
  readonly waitingBytes: () => number;
}

/** Makes a queue for one reader. Above `highBytes` the writer should pause; `onRoom` tells the writer to continue. */
export function createByteQueue(highBytes: number, onRoom: () => void): ByteQueue {
  const chunks: Uint8Array[] = [];
  let waiting = 0;
  let ended = false;
  let wake: (() => void) | undefined;
  const rouse = (): void => {
    wake?.();
    wake = undefined;
  };
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    if (chunks.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
    const chunk = chunks.shift();
    if (chunk === undefined) return { done: true, value: undefined };
    const wasFull = waiting >= highBytes;
    waiting -= chunk.length;
    if (wasFull && waiting < highBytes) onRoom();
    return { done: false, value: chunk };
  };
  return {
    push: (chunk) => {
      chunks.push(chunk);
      waiting += chunk.length;
      rouse();
      return waiting < highBytes;
    },
    end: () => {
      ended = true;
      rouse();
    },
    waitingBytes: () => waiting,
    [Symbol.asyncIterator]: () => ({ next }),
  };
}

/** The end of a byte stream. */
export interface ByteTail {
  push(chunk: Uint8Array): void;
  /**
   * The kept bytes as text; broken bytes become replacement characters. Where the beginning was cut off, the text
   * starts with an ellipsis. The rest of a cut line or word is dropped too, so that no half of it is taken for a whole.
   */
  text(): string;
}

/** Keeps the last bytes of a stream of any size; never holds more than twice `maxBytes`. */
export function createByteTail(maxBytes: number): ByteTail {
  let chunks: Uint8Array[] = [];
  let held = 0;
  let cut = false;
  const shrink = (): Uint8Array => {
    const all = Buffer.concat(chunks);
    const kept = all.subarray(Math.max(0, all.length - maxBytes));
    cut ||= kept.length < all.length;
    // Copies the kept bytes, to release the memory of the others.
    chunks = [Uint8Array.from(kept)];
    held = kept.length;
    return kept;
  };
  return {
    push: (chunk) => {
      const end = chunk.subarray(Math.max(0, chunk.length - maxBytes));
      cut ||= end.length < chunk.length;
      chunks.push(end);
      held += end.length;
      if (held > 2 * maxBytes) shrink();
    },
    text: () => {
      const text = new TextDecoder().decode(shrink());
      return cut ? `…${text.replace(text.includes("\n") ? /^[^\n]*\n/ : /^\S*\s?/, "")}` : text;
    },
  };
}
