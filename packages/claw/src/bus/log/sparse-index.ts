/** Where some of the lines of a segment begin; between two entries the file is read. */
export interface SparseIndex {
  /** Notes that the line of this sequence begins at this byte. Kept only when the last entry is far enough away. */
  add(sequence: number, offset: number): void;
  /** The nearest known place at or before a sequence. */
  find(sequence: number): number;
  /** The sequences whose places are known, in order. */
  sequences(): number[];
  /** One entry a line, for the file beside a finished segment. */
  toText(): string;
}

const SPACING_BYTES = 32 * 1024;

interface Entry {
  readonly sequence: number;
  readonly offset: number;
}

export function createSparseIndex(first: number, known: readonly Entry[] = []): SparseIndex {
  const entries: Entry[] = [{ sequence: first, offset: 0 }, ...known];
  return {
    add: (sequence, offset) => {
      if (offset - (entries.at(-1)?.offset ?? 0) >= SPACING_BYTES) entries.push({ sequence, offset });
    },
    find: (sequence) => {
      let low = 0;
      for (let high = entries.length - 1; low < high;) {
        const middle = Math.ceil((low + high) / 2);
        if ((entries[middle]?.sequence ?? 0) <= sequence) low = middle;
        else high = middle - 1;
      }
      return entries[low]?.offset ?? 0;
    },
    sequences: () => entries.map(({ sequence }) => sequence),
    toText: () =>
      entries
        .slice(1)
        .map(({ sequence, offset }) => `${sequence} ${offset}\n`)
        .join(""),
  };
}

/** Reads the text of an index file, up to the size of its segment; undefined when its entries do not grow. */
export function readSparseIndex(first: number, text: string, size: number): SparseIndex | undefined {
  const entries: Entry[] = [];
  let last: Entry = { sequence: first, offset: 0 };
  for (const line of text.split("\n").slice(0, -1)) {
    const [sequence = Number.NaN, offset = Number.NaN] = line.split(" ").map(Number);
    if (!(sequence > last.sequence && offset > last.offset)) return undefined;
    last = { sequence, offset };
    if (offset < size) entries.push(last);
  }
  return createSparseIndex(first, entries);
}
