import type { KeyHash } from "./text-hash.ts";

/**
 * Remembered event ids, stored as numbers only: a hundred thousand objects would burden the garbage
 * collector (bench bus, "server time for an event"). A slot is the number of an id, in the order of adding.
 */
export interface RecentIds {
  /** Whether nothing more can be added. */
  full(): boolean;
  /** The slot of an id; -1 when the id is unknown. */
  find(key: KeyHash): number;
  /** Adds an unknown id and returns its slot. Never called when full. */
  add(key: KeyHash, hashes: readonly [number, number]): number;
  /** Whether the hash of a body is among the hashes stored with the id. */
  hasBody(slot: number, hash: number): boolean;
  /** 0 until `settle` sets the sequence. */
  sequence(slot: number): number;
  deliveredTo(slot: number): number;
  settle(slot: number, sequence: number, deliveredTo: number): void;
  /** Forgets the id, as if never added. */
  remove(slot: number): void;
  /** How many ids it holds. */
  size(): number;
  /**
   * The ids of events up to a sequence without the first `skipped`, packed, in pieces, in the order of their adding.
   * Reading stays valid while new ids are added.
   */
  pack(through: number, skipped?: number): Iterable<Uint8Array>;
  /** Adds packed ids until the table is full. Returns how many bytes it took; an unfinished row stays. */
  unpack(piece: Uint8Array): number;
}

/** Numbers of 32 bits in a row: both halves of the key, two bodies, and a sequence of 64 bits. Bytes as packed. */
const ROW_INTS = 6;
const ROW_FLOATS = ROW_INTS / 2;
const ROW_BYTES = ROW_INTS * 4;
const ROWS_PER_PIECE = 500;

const FREE = 0;

/** The ids row by row, and places that say where the row of a key is. */
interface Table {
  readonly bytes: Uint8Array;
  /** The bytes as numbers: `ROW_INTS` a row, and `ROW_FLOATS` a row. */
  readonly ints: Int32Array;
  readonly floats: Float64Array;
  readonly deliveries: Uint32Array;
  /**
   * `FREE`, or the number of a row plus one in the lower bits and a part of its key in the upper ones: a search looks at
   * the rows of few other keys, which are far apart in memory (bench bus, "server time for an event").
   */
  readonly places: Int32Array;
  /**
   * The lower bits of a place. With all of them set, the place is that of a removed id: it stands for no row, and does not
   * end a search.
   */
  readonly rowBits: number;
}

/** At most half of the places are used, which keeps searches short. */
function createTable(capacity: number): Table {
  const buffer = new ArrayBuffer(capacity * ROW_BYTES);
  return {
    bytes: new Uint8Array(buffer),
    ints: new Int32Array(buffer),
    floats: new Float64Array(buffer),
    deliveries: new Uint32Array(capacity),
    places: new Int32Array(2 ** Math.ceil(Math.log2(capacity * 2))),
    rowBits: 2 ** Math.ceil(Math.log2(capacity + 2)) - 1,
  };
}

/** The place of a key; when the key is unknown, the free place where its search ends. */
function placeOfKey({ ints, places, rowBits }: Table, high: number, low: number): number {
  const last = places.length - 1;
  let place = low & last;
  for (let entry = places[place]; entry !== FREE; entry = places[place]) {
    if ((((entry ?? 0) ^ high) & ~rowBits) === 0) {
      const at = (((entry ?? 0) & rowBits) - 1) * ROW_INTS;
      if (ints[at] === high && ints[at + 1] === low) break;
    }
    place = (place + 1) & last;
  }
  return place;
}

/** The row that a place stands for; -1 for a free place. */
const rowAt = ({ places, rowBits }: Table, place: number): number => ((places[place] ?? FREE) & rowBits) - 1;

/** Makes a filled row known under its key. Of two rows with one key, the first stays known. */
function index(table: Table, row: number): void {
  const { ints, places, rowBits } = table;
  const high = ints[row * ROW_INTS] ?? 0;
  const place = placeOfKey(table, high, ints[row * ROW_INTS + 1] ?? 0);
  if (places[place] === FREE) places[place] = (high & ~rowBits) | (row + 1);
}

const sequenceOf = ({ floats }: Table, row: number): number => floats[row * ROW_FLOATS + ROW_FLOATS - 1] ?? 0;

function remove(table: Table, row: number): void {
  const { ints, floats, places, rowBits } = table;
  const place = placeOfKey(table, ints[row * ROW_INTS] ?? 0, ints[row * ROW_INTS + 1] ?? 0);
  if (rowAt(table, place) === row) places[place] = (places[place] ?? 0) | rowBits;
  floats[row * ROW_FLOATS + ROW_FLOATS - 1] = 0;
}

/** Numbers in place of objects serve the rows "start of the daemon" and "memory after a start" of bench growth. */
function* packed(
  table: Table,
  rows: number,
  { through, skipped }: { readonly through: number; readonly skipped: number },
): Generator<Uint8Array> {
  let toSkip = skipped;
  let piece = new Uint8Array(ROWS_PER_PIECE * ROW_BYTES);
  let end = 0;
  for (let row = 0; row < rows; row += 1) {
    const sequence = sequenceOf(table, row);
    if (sequence === 0 || sequence > through || (toSkip -= 1) >= 0) continue;
    piece.set(table.bytes.subarray(row * ROW_BYTES, (row + 1) * ROW_BYTES), end);
    end += ROW_BYTES;
    if (end < piece.length) continue;
    yield piece;
    piece = new Uint8Array(ROWS_PER_PIECE * ROW_BYTES);
    end = 0;
  }
  if (end > 0) yield piece.subarray(0, end);
}

/** An id as numbers: its key, the sequence of its event, and two bodies. */
export type IdRow = readonly [high: number, low: number, sequence: number, body: number, otherBody: number];

/** A piece as `pack` gives it. */
export function packRows(rows: readonly IdRow[]): Uint8Array {
  const { bytes, ints, floats } = createTable(rows.length);
  for (const [row, [high, low, sequence, body, otherBody]] of rows.entries()) {
    ints.set([high, low, body, otherBody], row * ROW_INTS);
    floats[(row + 1) * ROW_FLOATS - 1] = sequence;
  }
  return bytes;
}

/** Copies as many whole rows of a piece as there is room for, behind the first `count` rows. Returns how many. */
function fill({ bytes, deliveries }: Table, count: number, piece: Uint8Array): number {
  const rows = Math.min(deliveries.length - count, Math.floor(piece.length / ROW_BYTES));
  bytes.set(piece.subarray(0, rows * ROW_BYTES), count * ROW_BYTES);
  return rows;
}

function write({ ints }: Table, row: number, [key, bodies]: readonly [KeyHash, readonly [number, number]]): void {
  const at = row * ROW_INTS;
  ints[at] = key.high;
  ints[at + 1] = key.low;
  ints[at + 2] = bodies[0];
  ints[at + 3] = bodies[1];
}

/** A table for `capacity` ids. */
export function createRecentIds(capacity: number): RecentIds {
  const table = createTable(capacity);
  const { ints, floats, deliveries } = table;
  let count = 0;
  let removed = 0;
  /** Rows that are known under their keys. Unpacked rows become known with the first search (bench growth, "start of the daemon"). */
  let known = 0;
  const indexAll = (): void => {
    for (; known < count; known += 1) index(table, known);
  };
  return {
    size: () => count - removed,
    full: () => count === capacity,
    find: ({ high, low }) => {
      if (known < count) indexAll();
      return rowAt(table, placeOfKey(table, high, low));
    },
    add: (key, bodies) => {
      write(table, count, [key, bodies]);
      count += 1;
      indexAll();
      return count - 1;
    },
    hasBody: (slot, hash) => ints[slot * ROW_INTS + 2] === hash || ints[slot * ROW_INTS + 3] === hash,
    sequence: (slot) => sequenceOf(table, slot),
    deliveredTo: (slot) => deliveries[slot] ?? 0,
    settle: (slot, sequence, deliveredTo) => {
      floats[slot * ROW_FLOATS + ROW_FLOATS - 1] = sequence;
      deliveries[slot] = deliveredTo;
    },
    remove: (slot) => {
      indexAll();
      remove(table, slot);
      removed += 1;
    },
    pack: (through, skipped = 0) => packed(table, count, { through, skipped }),
    unpack: (piece) => {
      const rows = fill(table, count, piece);
      count += rows;
      return rows * ROW_BYTES;
    },
  };
}
