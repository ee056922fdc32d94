import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { FramedLine } from "./framing.ts";
import { createLineFramer } from "./framing.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(new TextEncoder().encode(text));
const text = (line: Uint8Array): string => new TextDecoder().decode(line);

function frame(chunks: readonly Uint8Array[], maxLineBytes = 1000): FramedLine[] {
  const framer = createLineFramer({ maxLineBytes });
  return [...chunks.flatMap((chunk) => framer.push(chunk)), ...framer.end()];
}

const readable = (lines: readonly FramedLine[]) =>
  lines.map((line) => ({ ...line, bytes: typeof line.bytes === "number" ? line.bytes : text(line.bytes) }));

test("lines end at LF and nowhere else", () => {
  const stream = "one\u2028still one\u2029\u0085\r\n\ntwo\rtwo\vtwo\n";
  expect(readable(frame([bytes(stream)]))).toEqual([
    { kind: "line", lineNumber: 1, bytes: "one\u2028still one\u2029\u0085\r" },
    { kind: "line", lineNumber: 2, bytes: "" },
    { kind: "line", lineNumber: 3, bytes: "two\rtwo\vtwo" },
  ]);
});

test("a character cut in two by chunks arrives whole", () => {
  const [first, ...rest] = bytes("€\n");
  expect(readable(frame([Uint8Array.of(first ?? 0), Uint8Array.from(rest)]))).toEqual([
    { kind: "line", lineNumber: 1, bytes: "€" },
  ]);
});

test("bytes that are no UTF-8 are handed on as they are", () => {
  expect(frame([Uint8Array.of(0xff, 0, 0xc0), Uint8Array.of(0x0a)])).toEqual([
    { kind: "line", lineNumber: 1, bytes: Uint8Array.of(0xff, 0, 0xc0) },
  ]);
});

test("what follows the last LF is torn", () => {
  expect(readable(frame([bytes("whole\nha"), bytes("lf")]))).toEqual([
    { kind: "line", lineNumber: 1, bytes: "whole" },
    { kind: "torn", lineNumber: 2, bytes: "half" },
  ]);
});

test("an empty stream has no lines, and ending twice yields nothing more", () => {
  const framer = createLineFramer({ maxLineBytes: 5 });
  expect([framer.push(new Uint8Array(0)), framer.end()]).toEqual([[], []]);
  framer.push(bytes("abc"));
  expect([readable(framer.end()), framer.end()]).toEqual([[{ kind: "torn", lineNumber: 1, bytes: "abc" }], []]);
});

test("a line of exactly the limit is kept; one byte more is reported once with its full length", () => {
  expect(readable(frame([bytes("12345\n123456\nok\n")], 5))).toEqual([
    { kind: "line", lineNumber: 1, bytes: "12345" },
    { kind: "oversize", lineNumber: 2, bytes: 6 },
    { kind: "line", lineNumber: 3, bytes: "ok" },
  ]);
});

test("an oversize line that never ends is reported at the end", () => {
  expect(frame([bytes("1234"), bytes("5678"), bytes("90")], 5)).toEqual([
    { kind: "oversize", lineNumber: 1, bytes: 10 },
  ]);
});

test("the length of an unfinished line is known before it ends, also beyond the limit", () => {
  const framer = createLineFramer({ maxLineBytes: 5 });
  const seen = ["1234", "5678", "\nab", "\n"].map((part) => {
    framer.push(bytes(part));
    return framer.pendingBytes();
  });
  expect(seen).toEqual([4, 8, 2, 0]);
});

test("a chunk that is overwritten later does not change a line begun in it", () => {
  const framer = createLineFramer({ maxLineBytes: 100 });
  const chunk = bytes("begin-");
  framer.push(chunk);
  chunk.fill(0x58);
  expect(readable(framer.push(bytes("end\n")))).toEqual([{ kind: "line", lineNumber: 1, bytes: "begin-end" }]);
});

test("a line is not overwritten before the next call, even by what follows it in the same chunk", () => {
  const framer = createLineFramer({ maxLineBytes: 100, reusesMemory: true });
  framer.push(bytes("first-"));
  const [line] = framer.push(bytes("line\nXXXXXXXXXX"));
  expect(text(line?.bytes as Uint8Array)).toBe("first-line");
  expect(readable(framer.push(bytes("\n")))).toEqual([{ kind: "line", lineNumber: 2, bytes: "XXXXXXXXXX" }]);
});

test("lines are the same when memory is used again, if they are looked at in time", () => {
  const alphabet = fc.constantFrom(0x0a, 0x61, 0x62);
  const chunks = fc.array(fc.array(alphabet, { maxLength: 20 }).map((list) => Uint8Array.from(list)));
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 20 }), (parts, maxLineBytes) => {
      const framer = createLineFramer({ maxLineBytes, reusesMemory: true });
      const lines = parts.flatMap((part) => readable(framer.push(part)));
      expect([...lines, ...readable(framer.end())]).toEqual(readable(frame(parts, maxLineBytes)));
    }),
  );
});

test.each([0, -1, 1.5, Number.NaN, Infinity])("a limit of %s is refused", (maxLineBytes) => {
  expect(() => createLineFramer({ maxLineBytes })).toThrow(RangeError);
});

test("a long line in one-byte chunks is put together", () => {
  const length = 300_000;
  const chunks = Array.from({ length }, () => Uint8Array.of(0x61));
  const [line] = frame([...chunks, bytes("\n")], length);
  expect(line?.bytes).toHaveLength(length);
});

test("the same bytes give the same lines however they are chunked", () => {
  const alphabet = fc.constantFrom(0x0a, 0x0d, 0x61, 0xe2, 0x80, 0xa8);
  const stream = fc.array(alphabet, { maxLength: 200 }).map((list) => Uint8Array.from(list));
  fc.assert(
    fc.property(stream, fc.array(fc.nat({ max: 200 })), fc.integer({ min: 1, max: 20 }), (whole, cuts, max) => {
      const bounds = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
      const chunks = bounds.slice(1).map((end, index) => whole.slice(bounds[index], end));
      expect(frame(chunks, max)).toEqual(frame([whole], max));
    }),
  );
});

test("lines joined by LF are the stream again", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, (parts) => {
      const lines = frame(parts, 10_000);
      const joined: number[] = [];
      for (const line of lines) {
        if (line.kind !== "oversize") joined.push(...line.bytes);
        if (line.kind === "line") joined.push(0x0a);
      }
      expect(joined).toEqual(parts.flatMap((part) => [...part]));
    }),
  );
});
