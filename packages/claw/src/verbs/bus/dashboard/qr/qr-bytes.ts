import { correctionBytes } from "./reed-solomon.ts";
import type { QrVersion } from "./qr-versions.ts";

const PADDING = [0xec, 0x11];

/** The mark of a text of bytes, in the upper half of the first byte. */
const BYTES_MARK = 0b0100;

/** The text with its kind and length before it and padding behind. The header's 12 bits shift all by half a byte. */
function dataOf(text: Uint8Array, { dataBytes }: QrVersion): number[] {
  const halves = [BYTES_MARK, text.length >> 4, text.length & 15];
  for (const byte of text) halves.push(byte >> 4, byte & 15);
  halves.push(0);
  const bytes: number[] = [];
  for (let index = 0; index < halves.length; index += 2) {
    bytes.push(((halves[index] ?? 0) << 4) | (halves[index + 1] ?? 0));
  }
  for (let index = 0; bytes.length < dataBytes; index += 1) bytes.push(PADDING[index % 2] ?? 0);
  return bytes;
}

/** The first byte of each column, then the second, and so on. */
const interleaved = (columns: readonly (readonly number[])[]): number[] =>
  (columns[0] ?? []).flatMap((_, index) => columns.map((column) => column[index] ?? 0));

/** All bytes of a code, in the order in which they are drawn. */
export function qrBytes(text: Uint8Array, version: QrVersion): number[] {
  const data = dataOf(text, version);
  const length = data.length / version.blocks;
  const blocks = Array.from({ length: version.blocks }, (_, index) => data.slice(index * length, (index + 1) * length));
  const corrections = blocks.map((block) => correctionBytes(block, version.correctionBytes));
  return [...interleaved(blocks), ...interleaved(corrections)];
}
