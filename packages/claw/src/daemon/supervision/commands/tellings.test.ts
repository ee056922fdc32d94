import { expect, test } from "vitest";
import { createTellings } from "./tellings.ts";

test("nothing is told twice in a row, and what changes is told again", () => {
  const tellings = createTellings(10);
  const taken = ["a", "a", "b", "b", "a"].map((said) => tellings.take(said));
  expect(taken).toEqual([true, false, true, false, true]);
});

test("there is an end to it, until something begins anew", () => {
  const tellings = createTellings(2);
  expect(["a", "b", "a"].map((said) => tellings.take(said))).toEqual([true, true, false]);
  tellings.forget();
  expect(["b", "b"].map((said) => tellings.take(said))).toEqual([true, false]);
});
