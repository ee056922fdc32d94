import { PHASES, PHASE_TRANSITIONS, canTransition } from "claw-contract";
import type { Phase } from "claw-contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { PhaseTrack } from "./phase-track.ts";
import { createPhaseTrack, phasePath } from "./phase-track.ts";

/** What entering a phase comes to: the change, or the words of the refusal. */
function enter(track: PhaseTrack, to: Phase): unknown {
  try {
    const { phase, prev } = track.enter(to);
    return { phase, prev };
  } catch (error) {
    return (error as Error).message;
  }
}

test("follows exactly the transitions that the contract allows", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PHASES), { maxLength: 20 }), (steps) => {
      const track = createPhaseTrack();
      for (const to of steps) {
        const at = track.current();
        const allowed = at === null ? to === "PLAN" : PHASE_TRANSITIONS[at].includes(to);
        const refusal = `gate: illegal transition ${at ?? "(start)"} → ${to}`;
        expect(enter(track, to)).toEqual(allowed ? { phase: to, prev: at } : refusal);
        expect(track.current()).toBe(allowed ? to : at);
      }
    }),
  );
});

test("a phase entered twice is completed once", () => {
  const track = createPhaseTrack();
  for (const phase of ["PLAN", "SPAWN", "DEPLOY", "RECOVER", "DEPLOY"] as const) track.enter(phase);
  expect(track.completed()).toEqual(["PLAN", "SPAWN", "DEPLOY", "RECOVER"]);
  expect(track.terminal()).toBe(false);
});

test("a permit is good for one transition", () => {
  const track = createPhaseTrack();
  track.permit("HARVEST");
  expect(track.enter("HARVEST")).toMatchObject({ prev: null });
  expect(() => track.enter("REFLECT")).toThrow("gate:");
});

test("changes that were refused, many at once, lead back to the last that the bus has taken", () => {
  const track = createPhaseTrack();
  track.confirm(track.enter("PLAN"));
  const refused = (["SPAWN", "DEPLOY", "OBSERVE"] as const).map((phase) => track.enter(phase));
  for (const change of refused.slice(0, -1)) track.undo(change);
  expect(track.current()).toBe("OBSERVE");
  for (const change of refused.slice(-1)) track.undo(change);
  expect([track.current(), track.completed()]).toEqual(["PLAN", ["PLAN"]]);
  expect(track.enter("SPAWN")).toMatchObject({ prev: "PLAN" });
});

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
