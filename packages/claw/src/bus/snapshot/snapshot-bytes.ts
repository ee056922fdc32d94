import { LF } from "claw-contract";

/** The bytes of a snapshot, read in pieces: no more than a piece of them has to be in memory. */
export interface SnapshotBytes {
  readonly size: number;
  /** The bytes between two places, in order. A piece is valid until the next one is asked for. May throw file errors. */
  pieces(from: number, to: number): Iterable<Buffer>;
}

/** Bytes that are in memory. */
export const bytesOf = (all: Buffer): SnapshotBytes => ({
  size: all.length,
  pieces: (from, to) => [all.subarray(from, to)],
});

/** The lines between two places, without their ends. A line is valid until the next one is asked for. */
export function* linesIn(bytes: SnapshotBytes, from: number, to: number): Generator<Buffer> {
  let begun: Buffer[] = [];
  for (const piece of bytes.pieces(from, to)) {
    let start = 0;
    for (let end = piece.indexOf(LF); end !== -1; end = piece.indexOf(LF, start)) {
      const rest = piece.subarray(start, end);
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      start = end + 1;
    }
    if (start < piece.length) begun.push(Buffer.from(piece.subarray(start)));
  }
}

export function textIn(bytes: SnapshotBytes, from: number, to: number): string {
  const copies: Buffer[] = [];
  for (const piece of bytes.pieces(from, to)) copies.push(Buffer.from(piece));
  return Buffer.concat(copies).toString();
}
