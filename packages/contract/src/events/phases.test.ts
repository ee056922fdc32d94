import { describe, expect, test } from "vitest";
import { canTransition, ENTRY_PHASE, isPhase, isTerminalPhase, PHASES } from "./phases.ts";
import type { Phase } from "./phases.ts";

const allowed = new Set([
  "PLAN>SPAWN",
  "PLAN>FAILED",
  "SPAWN>DEPLOY",
  "SPAWN>RECOVER",
  "SPAWN>FAILED",
  "DEPLOY>OBSERVE",
  "DEPLOY>RECOVER",
  "DEPLOY>FAILED",
  "OBSERVE>HARVEST",
  "OBSERVE>RECOVER",
  "OBSERVE>FAILED",
  "RECOVER>DEPLOY",
  "RECOVER>OBSERVE",
  "RECOVER>FAILED",
  "HARVEST>CLEANUP",
  "HARVEST>FAILED",
  "CLEANUP>REFLECT",
  "CLEANUP>FAILED",
]);

const pairs = PHASES.flatMap((from) => PHASES.map((to) => [from, to] as const));

describe("phases", () => {
  test("there are nine of them", () => {
    expect(PHASES).toHaveLength(9);
    expect(pairs).toHaveLength(81);
  });

  test.each(pairs)("%s to %s is decided by the table", (from, to) => {
    expect(canTransition(from, to)).toBe(allowed.has(`${from}>${to}`));
  });

  test.each(PHASES)("a worker without a phase may enter %s only if it is the entry", (to) => {
    expect(canTransition(null, to)).toBe(to === ENTRY_PHASE);
  });

  test("REFLECT and FAILED are the terminal ones", () => {
    expect(PHASES.filter(isTerminalPhase)).toEqual(["REFLECT", "FAILED"] satisfies Phase[]);
  });

  test("every phase that is not terminal can fail", () => {
    expect(PHASES.filter((phase) => !isTerminalPhase(phase) && !canTransition(phase, "FAILED"))).toEqual([]);
  });

  test("only the exact names are phases", () => {
    expect(PHASES.every(isPhase)).toBe(true);
    expect(["plan", "", "DONE", "constructor", null, undefined, 1, ["PLAN"]].filter(isPhase)).toEqual([]);
  });
});
