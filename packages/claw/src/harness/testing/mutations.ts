import * as fc from "fast-check";
import { jsonLines } from "../../process/testing/json-lines.ts";
import type { Recording } from "./recordings.ts";
import { RECORDINGS } from "./recordings.ts";

/** A stream that once was a recording. */
export interface Mutant {
  readonly recording: Recording;
  readonly bytes: Uint8Array;
}

const SMALL_BYTES = 20_000;
const SMALL = RECORDINGS.filter(({ bytes }) => bytes.length > 0 && bytes.length < SMALL_BYTES);

const anyRecording = fc.constantFrom(...SMALL);

type Edit = { readonly at: number; readonly remove: number; readonly insert: Uint8Array };

const edits = fc.array(
  fc.record({
    at: fc.nat({ max: SMALL_BYTES }),
    remove: fc.nat({ max: 40 }),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc
        .constantFrom("\n", "{", "}", '"', "\u2028", "\r", "null", "[[[[", ',"type":"result"')
        .map((text) => Buffer.from(text)),
    ),
  }),
  { maxLength: 6 },
);

function applyEdits(bytes: Uint8Array, list: readonly Edit[]): Uint8Array {
  return list.reduce<Uint8Array>((text, { at, remove, insert }) => {
    const start = Math.min(at, text.length);
    return Buffer.concat([text.subarray(0, start), insert, text.subarray(start + remove)]);
  }, bytes);
}

/** Recordings with bytes lost, added and changed anywhere. */
export const anyTornStream: fc.Arbitrary<Mutant> = fc
  .tuple(anyRecording, edits)
  .map(([recording, list]) => ({ recording, bytes: applyEdits(recording.bytes, list) }));

type Step = { readonly pick: number; readonly value: unknown };

/** Puts a value somewhere into a JSON value: `pick` decides the way down and how deep it goes. */
function putInto(target: unknown, { pick, value }: Step): unknown {
  if (typeof target !== "object" || target === null || pick % 5 === 0) return value;
  const names = Object.keys(target);
  const name = names[pick % Math.max(1, names.length)];
  if (name === undefined) return value;
  const changed = putInto((target as Record<string, unknown>)[name], { pick: Math.floor(pick / 3) + 1, value });
  if (Array.isArray(target)) return target.map((item, index) => (String(index) === name ? changed : item) as unknown);
  return { ...target, [name]: changed };
}

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, "", "__proto__", [], {}, [null], { type: "text", text: 5 }),
);

const steps = fc.array(fc.record({ line: fc.nat(), pick: fc.nat(), value: odd }), { minLength: 1, maxLength: 8 });

/** Recordings in which values of events were replaced by any others; every line is still JSON. */
export const anyOddStream: fc.Arbitrary<Mutant> = fc.tuple(anyRecording, steps).map(([recording, list]) => {
  const events = jsonLines<unknown>(Buffer.from(recording.bytes).toString());
  for (const { line, ...step } of list) {
    const index = line % events.length;
    events[index] = putInto(events[index], step);
  }
  return { recording, bytes: Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join("")) };
});

/** Where a stream is cut into chunks, as shares of its length. */
export const anyCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

export function cutAt(bytes: Uint8Array, shares: readonly number[]): Uint8Array[] {
  const bounds = [0, ...shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b), bytes.length];
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
}
