const BLOCK_BYTES = 512;
const NAME_BYTES = 100;

/** Places of the fields in a header of a tar file: offset and length. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  time: [136, 12],
  sum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const;

const FILE = "0";
const LONG_NAME = "x";
const MAGIC = "ustar\x0000";

/** Bytes that fill the last block of a content. */
export const paddingOf = (size: number): number => (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;

function put(block: Buffer, field: keyof typeof FIELDS, text: string): void {
  block.write(text, FIELDS[field][0], FIELDS[field][1], "utf8");
}

/** The sum of all bytes of a header, with blanks in the place of the sum. */
function sumOf(block: Buffer): number {
  const [at, length] = FIELDS.sum;
  return block.reduce((sum, byte, index) => sum + (index >= at && index < at + length ? 0x20 : byte), 0);
}

/** A number in octal digits; numbers that do not fit are written in binary, as GNU tar does. */
function number(value: number, length: number): Buffer {
  const digits = value.toString(8).padStart(length - 1, "0");
  if (digits.length < length) return Buffer.from(`${digits}\0`, "latin1");
  const bytes = Buffer.alloc(length);
  bytes.writeBigUInt64BE(BigInt(value), length - 8);
  bytes[0] = 0x80;
  return bytes;
}

function block(name: string, size: number, type: string): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES);
  put(bytes, "name", name);
  put(bytes, "mode", "0000600\0");
  number(size, 12).copy(bytes, FIELDS.size[0]);
  put(bytes, "time", "00000000000\0");
  put(bytes, "type", type);
  put(bytes, "magic", MAGIC);
  put(bytes, "sum", `${sumOf(bytes).toString(8).padStart(6, "0")}\0 `);
  return bytes;
}

/** The record that names a path which is too long for a header. Its length counts its own digits. */
function longName(path: string): Buffer {
  const rest = ` path=${path}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (Buffer.byteLength(`${length}${rest}`) !== length) length = Buffer.byteLength(`${length}${rest}`);
  const record = Buffer.from(`${length}${rest}`);
  return Buffer.concat([block("long-name", record.length, LONG_NAME), record, Buffer.alloc(paddingOf(record.length))]);
}

/** The header of a file. */
export const headerOf = (path: string, size: number): Buffer =>
  Buffer.byteLength(path) < NAME_BYTES
    ? block(path, size, FILE)
    : Buffer.concat([longName(path), block("long", size, FILE)]);

/** The end of a tar file. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES);

export type TarHeader =
  | { readonly kind: "file" | "long name"; readonly name: string; readonly size: number }
  | { readonly kind: "end" }
  | { readonly kind: "bad"; readonly why: string };

const bad = (why: string): TarHeader => ({ kind: "bad", why });

function text(bytes: Buffer, field: keyof typeof FIELDS): string {
  const [at, length] = FIELDS[field];
  const raw = bytes.subarray(at, at + length);
  const end = raw.indexOf(0);
  return raw.toString("utf8", 0, end === -1 ? length : end);
}

function sizeOf(bytes: Buffer): number | undefined {
  const [at, length] = FIELDS.size;
  if (bytes[at] === 0x80) return Number(bytes.readBigUInt64BE(at + length - 8));
  const digits = text(bytes, "size").trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

const KINDS: Readonly<Record<string, "file" | "long name">> = { [FILE]: "file", "": "file", [LONG_NAME]: "long name" };

/** Reads a header. Links, folders and devices are bad: claw writes files only. */
export function readHeader(bytes: Buffer): TarHeader {
  if (bytes.every((byte) => byte === 0)) return { kind: "end" };
  if (Number.parseInt(text(bytes, "sum").trim(), 8) !== sumOf(bytes)) return bad("a header is damaged");
  const kind = KINDS[text(bytes, "type")];
  if (kind === undefined) return bad("it holds something that is no file");
  const size = sizeOf(bytes);
  if (size === undefined || !Number.isSafeInteger(size)) return bad("a header names no size");
  return { kind, name: text(bytes, "name"), size };
}

/** The path in a record of a long name; undefined when the record names no path. */
export const readLongName = (record: Buffer): string | undefined =>
  /^(\d+) path=([^\n\0]+)\n$/.exec(record.toString("utf8"))?.[2];

export { BLOCK_BYTES };
