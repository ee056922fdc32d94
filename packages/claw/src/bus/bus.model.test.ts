import { expect, test } from "vitest";
import { runModel } from "./testing/model/run-model.ts";

test.each([
  ["in memory", 100],
  ["on disk", 40],
] as const)("whatever clients do, with a log %s the bus does what its model does", async (where, runs) => {
  await expect(runModel(where, runs)).resolves.toBeUndefined();
});
