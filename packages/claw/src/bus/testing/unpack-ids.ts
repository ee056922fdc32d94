import type { KeyHash } from "../publish/text-hash.ts";

export interface StoredId {
  readonly key: KeyHash;
  readonly hashes: readonly [number, number];
  readonly sequence: number;
}

const ROW_BYTES = 24;

/** Reads packed ids by the form that snapshots have. */
export function unpackIds(pieces: Iterable<Uint8Array>): StoredId[] {
  const copies: Uint8Array[] = [];
  for (const piece of pieces) copies.push(Uint8Array.from(piece));
  const bytes = Buffer.concat(copies);
  return Array.from({ length: bytes.length / ROW_BYTES }, (_, row) => {
    const at = row * ROW_BYTES;
    return {
      key: { high: bytes.readInt32LE(at), low: bytes.readInt32LE(at + 4) },
      hashes: [bytes.readInt32LE(at + 8), bytes.readInt32LE(at + 12)],
      sequence: bytes.readDoubleLE(at + 16),
    };
  });
}
