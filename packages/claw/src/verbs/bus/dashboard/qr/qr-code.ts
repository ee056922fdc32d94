import { qrBytes } from "./qr-bytes.ts";
import { frameOf } from "./qr-frame.ts";
import type { QrFrame } from "./qr-frame.ts";
import { MASKS, unevenness } from "./qr-masks.ts";
import { versionFor } from "./qr-versions.ts";

/** Rows of modules; true is dark. */
export type QrModules = readonly (readonly boolean[])[];

/** The column that the timing pattern fills: it belongs to no pair of columns. */
const TIMING = 6;

/** The places of data: pairs of columns from the right, upwards and downwards in turn. */
function* placesOf(size: number): Generator<readonly [row: number, column: number]> {
  let upwards = true;
  for (let right = size - 1; right > 0; right -= right - 2 === TIMING ? 3 : 2) {
    for (let step = 0; step < size; step += 1) {
      const row = upwards ? size - 1 - step : step;
      yield [row, right];
      yield [row, right - 1];
    }
    upwards = !upwards;
  }
}

function draw({ modules, isTaken }: QrFrame, bytes: readonly number[], mask: (typeof MASKS)[number]): QrModules {
  const drawn = modules.map((row) => [...row]);
  let bit = 0;
  for (const [row, column] of placesOf(modules.length)) {
    if (isTaken(row, column)) continue;
    const isSet = (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
    const line = drawn[row];
    if (line !== undefined) line[column] = isSet !== mask(row, column);
    bit += 1;
  }
  return drawn;
}

/** A QR code that holds a text, by ISO 18004. Undefined when the text is too long. */
export function qrCode(text: string): QrModules | undefined {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  if (version === undefined) return undefined;
  const all = qrBytes(bytes, version);
  const candidates = MASKS.map((mask, index) => draw(frameOf(version, index), all, mask));
  const rated = candidates.map((modules) => ({ modules, rate: unevenness(modules) }));
  return rated.reduce((best, other) => (other.rate < best.rate ? other : best)).modules;
}
