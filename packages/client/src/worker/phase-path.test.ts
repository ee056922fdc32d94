import { canTransition, PHASES } from "claw-contract";
import { expect, test } from "vitest";
import { phasePath } from "./phase-path.ts";

test.each(PHASES)("there is a way to %s that the order of phases allows", (phase) => {
  const path = phasePath(phase);
  expect(path.at(-1)).toBe(phase);
  expect(path.map((each, index) => canTransition(path[index - 1] ?? null, each))).toEqual(path.map(() => true));
});

test("the way is the shortest", () => {
  expect([phasePath("PLAN"), phasePath("RECOVER"), phasePath("FAILED")]).toEqual([
    ["PLAN"],
    ["PLAN", "SPAWN", "RECOVER"],
    ["PLAN", "FAILED"],
  ]);
});
