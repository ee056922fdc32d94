import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createLineStore, createAsciiSpan } from "./line-store.ts";

test("lines come back as they were added, whatever they are made of", () => {
  const line = fc.string({ unit: "binary", maxLength: 50 }).map((text) => text.replaceAll("\n", ""));
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const store = createLineStore();
      for (const text of lines) store.add(text);
      expect([...store.lines()]).toEqual(lines);
    }),
  );
});

test("lines longer than what is reserved at a time, and many that fill it, come back too", () => {
  const lines = [
    "short",
    "€".repeat(700_000),
    "x".repeat(3_000_000),
    ...Array.from({ length: 5000 }, () => "y".repeat(900)),
  ];
  const store = createLineStore();
  for (const text of lines) store.add(text);
  expect([...store.lines()]).toEqual(lines);
});

test("lines as bytes and lines as text keep their order, and come back as blocks", () => {
  const store = createLineStore();
  store.add("first");
  store.addBytes(Buffer.from("second\nthïrd"));
  store.addBytes(Buffer.from("x".repeat(3_000_000)));
  store.add("last");
  expect([...store.lines()]).toEqual(["first", "second", "thïrd", "x".repeat(3_000_000), "last"]);
  const blocks = Array.from(store.blocks(), (bytes) => Buffer.from(bytes).toString());
  expect(blocks.join("\n").split("\n")).toEqual([...store.lines()]);
});

test("what is cleared is gone", () => {
  const store = createLineStore();
  store.add("a");
  store.clear();
  store.add("b");
  expect([...store.lines()]).toEqual(["b"]);
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function spanOf() {
  const taken: string[] = [];
  const span = createAsciiSpan((lines) => void taken.push(new TextDecoder().decode(lines)));
  return { span, taken };
}

test("lines that stand behind each other are handed over at once", () => {
  const { span, taken } = spanOf();
  const bytes = bytesOf("one\ntwo\nthree\nfour");
  span.add(bytes, 0, 3);
  span.add(bytes, 4, 7);
  span.add(bytes, 14, 18);
  expect(taken).toEqual(["one\ntwo"]);
  span.end();
  span.end();
  expect(taken).toEqual(["one\ntwo", "four"]);
});

test("lines of other bytes are handed over apart, although the places fit", () => {
  const { span, taken } = spanOf();
  span.add(bytesOf("one\ntwo"), 0, 3);
  span.add(bytesOf("one\ntwo"), 4, 7);
  span.end();
  expect(taken).toEqual(["one", "two"]);
});
