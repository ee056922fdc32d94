import { expect, test } from "vitest";
import { VERBS } from "../verbs/index.generated.ts";
import { groupVerbs } from "./verb-groups.ts";

test("verbs with a rank come first, the others by name, and empty groups are left out", () => {
  const verbs = [
    { name: "b", group: "bus" },
    { name: "a", group: "bus" },
    { name: "z", group: "start", rank: 1 },
    { name: "c", group: "start" },
  ] as const;
  expect(groupVerbs(verbs).map(({ title, verbs: own }) => [title, own.map(({ name }) => name)])).toEqual([
    ["Start here", ["z", "c"]],
    ["The bus", ["a", "b"]],
  ]);
});

test("six verbs stand first, in the order in which a newcomer needs them", () => {
  const [start] = groupVerbs(Object.values(VERBS));
  expect(start?.verbs.map(({ name }) => name)).toEqual(["demo", "doctor", "chat", "run", "up", "spawn"]);
});
