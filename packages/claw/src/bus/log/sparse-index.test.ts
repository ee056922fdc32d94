import { expect, test } from "vitest";
import { createSparseIndex } from "./sparse-index.ts";

const KB = 1024;

test("places are found in whatever order they were added", () => {
  const index = createSparseIndex(100);
  index.add(400, 400 * KB);
  index.add(200, 100 * KB);
  index.add(300, 250 * KB);
  expect(index.sequences()).toEqual([100, 200, 300, 400]);
  expect([99, 100, 199, 200, 399, 400, 9000].map((sequence) => index.find(sequence) / KB)).toEqual([
    0, 0, 0, 100, 250, 400, 400,
  ]);
});

test("a place near a known one is not kept", () => {
  const index = createSparseIndex(1);
  index.add(100, 100 * KB);
  index.add(2, KB);
  index.add(90, 90 * KB);
  index.add(110, 110 * KB);
  index.add(100, 140 * KB);
  expect(index.sequences()).toEqual([1, 100]);
});
