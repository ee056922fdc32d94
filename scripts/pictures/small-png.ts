import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;
/** Kinds of pixels that a screenshot has, with their bytes. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

interface Picture {
  readonly width: number;
  readonly height: number;
  /** A number for each pixel: red, green and blue. */
  readonly pixels: Uint32Array;
}

/** The pieces of a PNG file, by name; pieces of one name are joined. */
function chunksOf(png: Buffer): ReadonlyMap<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const name = png.toString("latin1", at + 4, at + 8);
    chunks.set(name, Buffer.concat([chunks.get(name) ?? Buffer.alloc(0), png.subarray(at + 8, at + 8 + length)]));
    at += length + 12;
  }
  return chunks;
}

/** The guess of PNG's filter 4 from the neighbours to the left, above, and above to the left. */
function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [byLeft, byAbove, byCorner] = [guess - left, guess - above, guess - corner].map(Math.abs);
  if ((byLeft ?? 0) <= (byAbove ?? 0) && (byLeft ?? 0) <= (byCorner ?? 0)) return left;
  return (byAbove ?? 0) <= (byCorner ?? 0) ? above : corner;
}

function guessOf(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return Math.floor((left + above) / 2);
  return filter === 4 ? paeth(left, above, corner) : 0;
}

/** Undoes the filters of the rows, in place. */
function unfilter(data: Buffer, rowBytes: number, channels: number): void {
  for (let row = 0; row < data.length; row += rowBytes + 1) {
    const filter = data[row] ?? 0;
    for (let x = 1; x <= rowBytes; x += 1) {
      const left = x > channels ? (data[row + x - channels] ?? 0) : 0;
      const above = row === 0 ? 0 : (data[row - rowBytes - 1 + x] ?? 0);
      const corner = row === 0 || x <= channels ? 0 : (data[row - rowBytes - 1 + x - channels] ?? 0);
      data[row + x] = (data[row + x] ?? 0) + guessOf(filter, left, above, corner);
    }
  }
}

/** Reads a PNG of eight bits a channel that is not interlaced, as browsers write it. */
function readPng(png: Buffer): Picture {
  const chunks = chunksOf(png);
  const [header, packed] = [chunks.get("IHDR"), chunks.get("IDAT")];
  const channels = CHANNELS[header?.[9] ?? 0];
  if (header === undefined || packed === undefined || channels === undefined) throw new Error("not a PNG of a browser");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const data = inflateSync(packed);
  unfilter(data, width * channels, channels);
  const pixels = new Uint32Array(width * height);
  for (let index = 0; index < pixels.length; index += 1) {
    const row = Math.floor(index / width);
    pixels[index] = data.readUIntBE(row * (width * channels + 1) + 1 + (index % width) * channels, 3);
  }
  return { width, height, pixels };
}

const partsOf = (colour: number): readonly [number, number, number] => [
  colour >> 16,
  (colour >> 8) & 0xff,
  colour & 0xff,
];

function distance(left: number, right: number): number {
  const [from, to] = [partsOf(left), partsOf(right)];
  return (from[0] - to[0]) ** 2 + (from[1] - to[1]) ** 2 + (from[2] - to[2]) ** 2;
}

/** Squared distance below which two colours look alike. */
const ALIKE = 3 * 10 ** 2;

/** The most frequent colours that look different; then, where there is room, the most frequent of the others. */
function chosenOf(ranked: readonly number[]): readonly number[] {
  const chosen: number[] = [];
  for (const colour of ranked) {
    if (chosen.length === MOST_COLOURS) break;
    if (chosen.every((each) => distance(each, colour) > ALIKE)) chosen.push(colour);
  }
  const known = new Set(chosen);
  return [...chosen, ...ranked.filter((colour) => !known.has(colour))].slice(0, MOST_COLOURS);
}

/** At most 256 colours, and for each colour of the picture the nearest of them. */
function paletteOf(pixels: Uint32Array): { colours: readonly number[]; placeOf: ReadonlyMap<number, number> } {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const ranked = [...counts].toSorted(([a, left], [b, right]) => right - left || a - b).map(([colour]) => colour);
  const colours = chosenOf(ranked);
  const places = new Map(colours.map((colour, place) => [colour, place]));
  const nearest = (colour: number): number => {
    const distances = colours.map((each) => distance(each, colour));
    return distances.indexOf(Math.min(...distances));
  };
  return { colours, placeOf: new Map(ranked.map((colour) => [colour, places.get(colour) ?? nearest(colour)])) };
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The same picture with at most 256 colours, packed as small as it goes. What is text and plain areas looks the same. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = readPng(png);
  const { colours, placeOf } = paletteOf(pixels);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (const [index, colour] of pixels.entries()) {
    rows[Math.floor(index / width) * (width + 1) + 1 + (index % width)] = placeOf.get(colour) ?? 0;
  }
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(colours.flatMap(partsOf))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
