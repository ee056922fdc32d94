import type { KeyHash } from "./text-hash.ts";

/**
 * Remembered event ids, stored as numbers only: a hundred thousand objects would burden the garbage
 * collector (bench bus, "server time for an event").
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
  /**
   * The ids of events up to a sequence, packed, in pieces, in the order of their adding. Reading stays valid while new
   * ids are added.
   */
  pack(through: number): Iterable<Uint8Array>;
}

export interface StoredId {
  readonly key: KeyHash;
  readonly hashes: readonly [number, number];
  readonly sequence: number;
}

const FREE = 0;
const USED = 1;
/** A removed slot does not end a search. */
const REMOVED = 2;

/** The table, column by column: two numbers a row for keys and bodies, one for the rest. */
function createColumns(slots: number) {
  return {
    states: new Uint8Array(slots),
    keys: new Int32Array(slots * 2),
    bodies: new Int32Array(slots * 2),
    sequences: new Float64Array(slots),
    deliveries: new Uint32Array(slots),
  };
}

type Columns = ReturnType<typeof createColumns>;

function slotOf({ states, keys }: Columns, { high, low }: KeyHash): number {
  const last = states.length - 1;
  for (let slot = low & last; states[slot] !== FREE; slot = (slot + 1) & last) {
    if (states[slot] === USED && keys[slot * 2] === high && keys[slot * 2 + 1] === low) return slot;
  }
  return -1;
}

function put({ states, keys, bodies }: Columns, { high, low }: KeyHash, [body, otherBody]: StoredId["hashes"]): number {
  const last = states.length - 1;
  let slot = low & last;
  while (states[slot] !== FREE) slot = (slot + 1) & last;
  states[slot] = USED;
  keys[slot * 2] = high;
  keys[slot * 2 + 1] = low;
  bodies[slot * 2] = body;
  bodies[slot * 2 + 1] = otherBody;
  return slot;
}

/** Bytes of a packed id: four numbers of 32 bits for key and bodies, one of 64 for the sequence. */
const ROW_BYTES = 24;
const ROWS_PER_PIECE = 500;

/** A piece that is being filled with packed rows. */
interface Piece {
  readonly view: DataView;
  end: number;
}

const emptyPiece = (): Piece => ({ view: new DataView(new ArrayBuffer(ROWS_PER_PIECE * ROW_BYTES)), end: 0 });

const bytesOf = ({ view, end }: Piece): Uint8Array => new Uint8Array(view.buffer, 0, end);

function packRow({ keys, bodies, sequences }: Columns, slot: number, piece: Piece): void {
  const { view, end } = piece;
  view.setInt32(end, keys[slot * 2] ?? 0, true);
  view.setInt32(end + 4, keys[slot * 2 + 1] ?? 0, true);
  view.setInt32(end + 8, bodies[slot * 2] ?? 0, true);
  view.setInt32(end + 12, bodies[slot * 2 + 1] ?? 0, true);
  view.setFloat64(end + 16, sequences[slot] ?? 0, true);
  piece.end += ROW_BYTES;
}

/** Numbers in place of objects serve the rows "start of the daemon" and "memory after a start" of bench growth. */
function* packed(columns: Columns, slots: Int32Array, through: number): Generator<Uint8Array> {
  const { states, sequences } = columns;
  let piece = emptyPiece();
  for (const slot of slots) {
    const sequence = sequences[slot] ?? 0;
    if (states[slot] !== USED || sequence === 0 || sequence > through) continue;
    packRow(columns, slot, piece);
    if (piece.end < piece.view.byteLength) continue;
    yield bytesOf(piece);
    piece = emptyPiece();
  }
  if (piece.end > 0) yield bytesOf(piece);
}

/** Reads a piece of packed ids. An unfinished row at its end is left out. */
export function* unpackIds({ buffer, byteOffset, byteLength }: Uint8Array): Generator<StoredId> {
  const view = new DataView(buffer, byteOffset, byteLength);
  for (let at = 0; at + ROW_BYTES <= byteLength; at += ROW_BYTES) {
    yield {
      key: { high: view.getInt32(at, true), low: view.getInt32(at + 4, true) },
      hashes: [view.getInt32(at + 8, true), view.getInt32(at + 12, true)],
      sequence: view.getFloat64(at + 16, true),
    };
  }
}

/** A table for `capacity` ids, at most half full, which keeps searches short. */
export function createRecentIds(capacity: number): RecentIds {
  const columns = createColumns(2 ** Math.ceil(Math.log2(capacity * 2)));
  const { states, bodies, sequences, deliveries } = columns;
  const order = new Int32Array(capacity);
  let count = 0;
  return {
    full: () => count === capacity,
    find: (key) => slotOf(columns, key),
    add: (key, hashes) => {
      const slot = put(columns, key, hashes);
      order[count] = slot;
      count += 1;
      return slot;
    },
    hasBody: (slot, hash) => bodies[slot * 2] === hash || bodies[slot * 2 + 1] === hash,
    sequence: (slot) => sequences[slot] ?? 0,
    deliveredTo: (slot) => deliveries[slot] ?? 0,
    settle: (slot, sequence, deliveredTo) => {
      sequences[slot] = sequence;
      deliveries[slot] = deliveredTo;
    },
    remove: (slot) => {
      states[slot] = REMOVED;
    },
    pack: (through) => packed(columns, order.subarray(0, count), through),
  };
}
