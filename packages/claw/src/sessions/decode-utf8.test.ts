import { array, assert, constantFrom, oneof, property, uint8Array } from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8 } from "./decode-utf8.ts";

function outcome(decode: () => string): string {
  try {
    return decode();
  } catch (error) {
    return (error as Error).name;
  }
}

test("decodes as a strict TextDecoder does, also a part of a larger buffer", () => {
  const pieces = constantFrom(
    [0xef, 0xbb, 0xbf],
    [0xc3, 0xa9],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f, 0x98, 0x80],
    [0xc0, 0x80],
  );
  const bytes = array(oneof(pieces, uint8Array({ maxLength: 3 })), { maxLength: 6 });
  assert(
    property(bytes, (parts) => {
      const whole = Uint8Array.from([0x41, ...parts.flatMap((part) => [...part])]);
      const part = whole.subarray(1);
      const strict = new TextDecoder("utf-8", { fatal: true });
      expect(outcome(() => decodeUtf8(part))).toBe(outcome(() => strict.decode(part)));
    }),
  );
});
