import { LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { requireFlat } from "./require-flat.ts";

const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}1${"]".repeat(depth)}`);

test("an answer may be as deep as a line of the bus, and no deeper", () => {
  expect(() => requireFlat({ input: nested(LIMITS.requestDepth - 1), other: null })).not.toThrow();
  expect(() => requireFlat({ input: nested(LIMITS.requestDepth), other: null })).toThrow(RangeError);
  expect(() => requireFlat(nested(100_000))).toThrow(RangeError);
});

test("a value that holds itself is refused", () => {
  const own: Record<string, unknown> = {};
  Object.assign(own, { left: own, right: { own } });
  expect(() => requireFlat(own)).toThrow(RangeError);
});
