/** Where the line of a sequence begins. */
export interface IndexEntry {
  readonly sequence: number;
  readonly offset: number;
}

/** Where some of the lines of a segment begin; between two entries the file is read. */
export interface SparseIndex {
  /** Notes that the line of this sequence begins at this byte. Kept only when other known places are far enough away. */
  add(sequence: number, offset: number): void;
  /** The nearest known place at or before a sequence. */
  find(sequence: number): number;
  /** The sequences whose places are known, in order. */
  sequences(): number[];
  /** One entry a line, for the file beside the segment. The last one is the segment's end. */
  toText(end: IndexEntry): string;
}

const SPACING_BYTES = 32 * 1024;

export function createSparseIndex(first: number, known: readonly IndexEntry[] = []): SparseIndex {
  const entries: IndexEntry[] = [{ sequence: first, offset: 0 }, ...known];
  /** The last entry at or before a sequence; the first one when there is none. */
  const entryBefore = (sequence: number): number => {
    let low = 0;
    for (let high = entries.length - 1; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if ((entries[middle]?.sequence ?? 0) <= sequence) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    add: (sequence, offset) => {
      const at = entryBefore(sequence);
      const before = entries[at] ?? { sequence: first, offset: 0 };
      const after = entries[at + 1]?.offset ?? Infinity;
      const isFar = offset - before.offset >= SPACING_BYTES && after - offset >= SPACING_BYTES;
      if (isFar && sequence > before.sequence) entries.splice(at + 1, 0, { sequence, offset });
    },
    find: (sequence) => entries[entryBefore(sequence)]?.offset ?? 0,
    sequences: () => entries.map(({ sequence }) => sequence),
    toText: (end) => [...entries.slice(1), end].map(({ sequence, offset }) => `${sequence} ${offset}\n`).join(""),
  };
}

/**
 * Reads the text of an index file, up to the size of its segment; undefined when its entries do not grow. `next` is the
 * sequence of the segment's end, when the file names that end.
 */
export function readSparseIndex(
  first: number,
  text: string,
  size: number,
): { readonly index: SparseIndex; readonly next: number | undefined } | undefined {
  const entries: IndexEntry[] = [];
  let last: IndexEntry = { sequence: first, offset: 0 };
  for (const line of text.split("\n").slice(0, -1)) {
    const [sequence = Number.NaN, offset = Number.NaN] = line.split(" ").map(Number);
    if (!(sequence > last.sequence && offset > last.offset)) return undefined;
    last = { sequence, offset };
    if (offset < size) entries.push(last);
  }
  return { index: createSparseIndex(first, entries), next: last.offset === size ? last.sequence : undefined };
}
