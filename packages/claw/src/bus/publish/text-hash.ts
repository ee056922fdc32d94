import { crc32 } from "node:zlib";

const PRIME = 0x01000193;
const OTHER_PRIME = 0x85ebca6b;

/** Spreads every bit of a number over all of it. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return hash ^ (hash >>> 16);
}

/** 32 bits of a text, to tell two texts apart. No protection against texts that are chosen to collide. */
export const hashOf = (text: string): number => crc32(text) | 0;

/** 64 bits of two texts, in two halves. A collision among a few hundred thousand keys is very unlikely. */
export interface KeyHash {
  readonly high: number;
  readonly low: number;
}

export function hashKey(identity: string, id: string): KeyHash {
  let high = 0x811c9dc5 ^ identity.length;
  let low = 0x9747b28c ^ id.length;
  for (let index = 0; index < identity.length; index += 1) {
    const unit = identity.charCodeAt(index);
    high = Math.imul(high ^ unit, PRIME);
    low = Math.imul(low ^ unit, OTHER_PRIME);
  }
  for (let index = 0; index < id.length; index += 1) {
    const unit = id.charCodeAt(index);
    high = Math.imul(high ^ unit, PRIME);
    low = Math.imul(low ^ unit, OTHER_PRIME);
  }
  return { high: mix(high), low: mix(low) };
}
