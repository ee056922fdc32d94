/** Bytes of the longest character. */
const LONGEST = 4;

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Number of bytes of a character, by its first byte. */
function lengthBy(first: number): number {
  if (first >= 0xf0 && first < 0xf8) return 4;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xc0 && first < 0xe0 ? 2 : 1;
}

/** How many bytes at the beginning belong to a character that began before them. */
export function brokenStart(bytes: Uint8Array): number {
  const start = bytes.subarray(0, LONGEST).findIndex((byte) => !isContinuation(byte));
  return start === -1 ? 0 : start;
}

/** How many bytes at the end belong to an incomplete character; 0 for bytes that are no text. */
export function brokenEnd(bytes: Uint8Array): number {
  for (let back = 1; back < LONGEST && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (!isContinuation(byte)) return lengthBy(byte) > back ? back : 0;
  }
  return 0;
}
