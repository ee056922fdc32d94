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
