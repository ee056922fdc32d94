import { expect, test } from "vitest";
import { createRing } from "./ring.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

function filled(maxBytes: number, ...pieces: readonly string[]) {
  const ring = createRing(maxBytes);
  for (const piece of pieces) ring.push(bytes(piece));
  return ring;
}

test("bytes are read across the pieces they came in, from any position", () => {
  const ring = filled(100, "ab", "c", "defg");
  expect([ring.start(), ring.end()]).toEqual([0, 7]);
  for (let from = 0; from <= 7; from += 1) {
    for (let limit = 0; limit <= 8; limit += 1) {
      expect(ring.read(from, limit).toString()).toBe("abcdefg".slice(from, from + limit));
    }
  }
});

test("whole pieces are let go of while enough is left, but none from a position on", () => {
  const ring = filled(4, "ab", "cd", "ef");
  ring.trim(6);
  expect([ring.start(), ring.read(2, 9).toString()]).toEqual([2, "cdef"]);
  ring.push(bytes("g"));
  ring.trim(7);
  expect(ring.start()).toBe(2);
  ring.push(bytes("h"));
  ring.trim(3);
  expect(ring.start()).toBe(2);
  ring.trim(4);
  expect([ring.start(), ring.read(4, 9).toString()]).toEqual([4, "efgh"]);
});

test("pieces that are joined have the same bytes", () => {
  const ring = filled(100, "ab", "c", "d");
  ring.join(2, bytes("cd"));
  ring.push(bytes("e"));
  expect([ring.end(), ring.read(1, 9).toString()]).toEqual([5, "bcde"]);
});

test("thousands of pieces come and go", () => {
  const ring = createRing(10);
  for (let number = 0; number < 5000; number += 1) {
    ring.push(bytes(String(number % 10)));
    ring.trim(ring.end());
  }
  expect([ring.start(), ring.end(), ring.read(ring.start(), 99).toString()]).toEqual([4990, 5000, "0123456789"]);
});
