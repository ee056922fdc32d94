import { expect, test } from "vitest";
import { runModel } from "../../packages/claw/src/bus/testing/model/run-model.ts";

test.each([
  ["in memory", 5000],
  ["on disk", 1000],
] as const)("whatever clients do for long, with a log %s the bus does what its model does", async (where, runs) => {
  await expect(runModel(where, runs)).resolves.toBeUndefined();
});
