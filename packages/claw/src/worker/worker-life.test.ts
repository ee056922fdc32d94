import type { Phase } from "claw-contract";
import { canTransition, PHASES } from "claw-contract";
import { expect, test } from "vitest";
import { schemaForTopic, WORKER_EVENTS } from "claw-contract/schemas";
import { phasesTo, WORKER_SCHEMAS } from "./worker-life.ts";

test("every walk keeps to the order of phases, wherever it begins", () => {
  const ends: readonly Phase[] = ["SPAWN", "DEPLOY", "OBSERVE", "REFLECT"];
  for (const from of [null, ...PHASES]) {
    for (const to of ends) {
      const way = phasesTo(from, to);
      way.forEach((phase, index) =>
        expect(canTransition(way[index - 1] ?? from, phase), `${from} to ${to}`).toBe(true),
      );
    }
  }
});

test("who is there already, or further, stays", () => {
  expect(phasesTo("OBSERVE", "DEPLOY")).toEqual([]);
  expect(phasesTo("REFLECT", "REFLECT")).toEqual([]);
  expect(phasesTo("RECOVER", "OBSERVE")).toEqual(["OBSERVE"]);
});

test.each(WORKER_EVENTS.map(({ pattern }) => pattern.replace("*", "self")))(
  "%s is named as in the contract",
  (topic) => {
    expect(WORKER_SCHEMAS.nameOf(topic)).toBe(schemaForTopic(topic)?.name);
  },
);
