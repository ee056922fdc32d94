/** The newest bytes of a stream, in the pieces they came in. */
export interface Ring {
  push(bytes: Buffer): void;
  /** Position of the oldest byte held, and the one after the newest. */
  start(): number;
  end(): number;
  /** Bytes from a position that is held. */
  read(from: number, limit: number): Buffer;
  /** Holds the newest pieces as one, which has the same bytes. */
  join(count: number, bytes: Buffer): void;
  /** Lets go of what is over the size, but of nothing from a position on. */
  trim(keepFrom: number): void;
}

/** Pieces that were let go of are dropped from the list in one go, when there are so many. */
const DROPPED_PIECES = 1024;

export function createRing(maxBytes: number): Ring {
  let pieces: Buffer[] = [];
  let first = 0;
  let start = 0;
  let end = 0;
  const trim = (keepFrom: number): void => {
    for (let piece = pieces[first]; piece !== undefined; piece = pieces[first]) {
      if (end - (start + piece.length) < maxBytes || start + piece.length > keepFrom) break;
      start += piece.length;
      first += 1;
    }
    if (first < DROPPED_PIECES) return;
    pieces = pieces.slice(first);
    first = 0;
  };
  return {
    push: (bytes) => {
      pieces.push(bytes);
      end += bytes.length;
    },
    start: () => start,
    end: () => end,
    trim,
    join: (count, bytes) => void pieces.splice(pieces.length - count, count, bytes),
    read: (from, limit) => {
      const parts: Buffer[] = [];
      const to = Math.min(end, from + limit);
      // From the end, since what is wanted is mostly new.
      let at = end;
      for (let index = pieces.length - 1; index >= first && at > from; index -= 1) {
        const piece = pieces[index];
        if (piece === undefined) break;
        at -= piece.length;
        if (at < to) parts.push(piece.subarray(Math.max(0, from - at), Math.min(piece.length, to - at)));
      }
      return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts.toReversed());
    },
  };
}
