import type { QrVersion } from "./qr-versions.ts";
import { sizeOf } from "./qr-versions.ts";

/** A code without data: the patterns by which a camera finds it. */
export interface QrFrame {
  readonly modules: readonly (readonly boolean[])[];
  /** Whether a pattern has the place. */
  readonly isTaken: (row: number, column: number) => boolean;
}

type Put = (row: number, column: number, dark: boolean) => void;

const FINDER = 7;

/** A large square with its white border, in one corner. */
function putFinder(put: Put, top: number, left: number): void {
  for (let row = -1; row <= FINDER; row += 1) {
    for (let column = -1; column <= FINDER; column += 1) {
      const distance = Math.max(Math.abs(row - 3), Math.abs(column - 3));
      put(top + row, left + column, distance !== 2 && distance !== 4);
    }
  }
}

/** Small squares, except where a large one stands. */
function putCentres(put: Put, centres: readonly number[]): void {
  const [first] = centres;
  const last = centres.at(-1);
  for (const row of centres) {
    for (const column of centres) {
      const isCorner = (row === first && column !== row && column === last) || (column === first && row === last);
      if (isCorner || (row === first && column === first)) continue;
      for (let down = -2; down <= 2; down += 1) {
        for (let right = -2; right <= 2; right += 1) {
          put(row + down, column + right, Math.max(Math.abs(down), Math.abs(right)) !== 1);
        }
      }
    }
  }
}

/** A value with the remainder of its division by a polynomial behind it. */
function withRemainder(value: number, polynomial: number, bits: number): number {
  let rest = value;
  for (let step = 0; step < bits; step += 1) rest = (rest << 1) ^ ((rest >> (bits - 1)) * polynomial);
  return (value << bits) | rest;
}

const FORMAT_POLYNOMIAL = 0x537;
const FORMAT_MASK = 0x5412;
const VERSION_POLYNOMIAL = 0x1f25;
/** The number of the lowest level of correction. */
const LEVEL_L = 1;

/** Level and mask, twice. */
function putFormat(put: Put, size: number, mask: number): void {
  const format = withRemainder((LEVEL_L << 3) | mask, FORMAT_POLYNOMIAL, 10) ^ FORMAT_MASK;
  for (let bit = 0; bit < 15; bit += 1) {
    const dark = ((format >> bit) & 1) === 1;
    if (bit < 6) put(bit, 8, dark);
    else if (bit < 8) put(bit + 1, 8, dark);
    else put(8, bit === 8 ? 7 : 14 - bit, dark);
    if (bit < 8) put(8, size - 1 - bit, dark);
    else put(size - 15 + bit, 8, dark);
  }
  put(size - 8, 8, true);
}

const WITH_VERSION = 7;

/** The version, twice, in codes that are large enough. */
function putVersion(put: Put, size: number, version: number): void {
  if (version < WITH_VERSION) return;
  const text = withRemainder(version, VERSION_POLYNOMIAL, 12);
  for (let bit = 0; bit < 18; bit += 1) {
    const dark = ((text >> bit) & 1) === 1;
    const across = size - 11 + (bit % 3);
    put(across, Math.floor(bit / 3), dark);
    put(Math.floor(bit / 3), across, dark);
  }
}

/** The patterns of a version, and the bits that name the mask. */
export function frameOf(version: QrVersion, mask: number): QrFrame {
  const size = sizeOf(version);
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const taken = new Set<number>();
  const put: Put = (row, column, dark) => {
    const line = modules[row];
    if (line === undefined || column < 0 || column >= size) return;
    line[column] = dark;
    taken.add(row * size + column);
  };
  for (let step = 0; step < size; step += 1) {
    put(6, step, step % 2 === 0);
    put(step, 6, step % 2 === 0);
  }
  putFinder(put, 0, 0);
  putFinder(put, 0, size - FINDER);
  putFinder(put, size - FINDER, 0);
  putCentres(put, version.centres);
  putFormat(put, size, mask);
  putVersion(put, size, version.version);
  return { modules, isTaken: (row, column) => taken.has(row * size + column) };
}
