import { expect, test } from "vitest";
import type { SnapshotBytes } from "./snapshot-bytes.ts";
import { linesIn, textIn } from "./snapshot-bytes.ts";

/** Bytes in pieces of one size, which all stand in the same memory. */
function inPieces(text: string, size: number): SnapshotBytes {
  const all = Buffer.from(text);
  return {
    size: all.length,
    *pieces(from, to) {
      const piece = Buffer.alloc(size);
      for (let at = from; at < to; at += size) {
        yield piece.subarray(0, all.copy(piece, 0, at, Math.min(at + size, to)));
      }
    },
  };
}

test("whatever the pieces, lines and texts are whole", () => {
  const lines = ["a", "", "grün und größer", "the last"];
  const text = `${lines.join("\n")}\n`;
  for (let size = 1; size < 40; size += 1) {
    const bytes = inPieces(text, size);
    expect([...lineTexts(bytes)]).toEqual(lines);
    expect(textIn(bytes, 2, bytes.size)).toBe(text.slice(2));
  }
});

function* lineTexts(bytes: SnapshotBytes): Generator<string> {
  for (const line of linesIn(bytes, 0, bytes.size)) yield line.toString();
}
