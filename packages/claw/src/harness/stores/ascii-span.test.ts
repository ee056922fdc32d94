import { expect, test } from "vitest";
import { createAsciiSpan } from "./ascii-span.ts";

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
