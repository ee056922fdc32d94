import { isObject } from "../json.ts";

const LANE_A_PRIME = 0x01000193;
const LANE_B_PRIME = 0x9e3779b1;

/**
 * A fingerprint of a JSON value: 16 hexadecimal digits. Equal values have equal tags whatever the order of their
 * members; different values almost certainly have different ones. Not for secrets or signatures: it is no cryptography.
 */
export function etagOf(value: unknown): string {
  const text = canonicalJson(value);
  let a = 0x811c9dc5;
  let b = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, LANE_A_PRIME);
    b = Math.imul(rotate(b, 13) ^ unit, LANE_B_PRIME);
  }
  return hex(scatter(a ^ rotate(b, 16))) + hex(scatter(b));
}

/** JSON with members in code-unit order and no blanks: one text for each value. */
function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) => (isObject(member) ? sorted(member) : member)) as
    | string
    | undefined;
  return text ?? "null";
}

function sorted(members: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(members).sort();
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Lets every input bit reach every output bit. */
function scatter(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
  return twice ^ (twice >>> 16);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
