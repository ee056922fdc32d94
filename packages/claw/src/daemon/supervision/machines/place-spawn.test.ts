import { expect, test } from "vitest";
import { placeSpawn } from "./place-spawn.ts";

const load = (name: string, running: number, isUp = true) => ({ name, running, slots: 10, isUp });
const here = (running: number, ...others: ReturnType<typeof load>[]) => [load("one", running), ...others];
const wish = (on?: string, hasOwnFolder = false) => ({ role: "orchestrator", on, hasOwnFolder }) as const;

test.each([
  ["a named machine", here(0), wish("two"), "two"],
  ["a machine that is not known, whose daemon is then asked in vain", here(0), wish("none"), "none"],
  ["this machine by its name", here(10, load("two", 0)), wish("one"), undefined],
  ["this machine while it has room", here(9, load("two", 0)), wish(), undefined],
  ["the machine with the most room when this one is full", here(10, load("two", 9), load("six", 4)), wish(), "six"],
  [
    "this machine, full, when the worker has a folder of its own",
    here(10, load("two", 0)),
    wish(undefined, true),
    undefined,
  ],
  ["this machine when all are full", here(10, load("two", 10)), wish(), undefined],
  ["any: the machine with the most room", here(1, load("two", 0)), wish("any"), "two"],
  ["any: this machine when no other has more room", here(1, load("two", 1)), wish("any"), undefined],
  ["any: never a machine that is away", here(5, load("two", 0, false)), wish("any"), undefined],
  ["this machine before it has reported", [load("two", 0)], wish("any"), undefined],
] as const)("chooses %s", (_, machines, wished, chosen) => {
  expect(placeSpawn("one", machines, wished)).toBe(chosen);
});

test("a worker starts others on its own machine", () => {
  expect(placeSpawn("one", here(10, load("two", 0)), { ...wish("two"), role: "worker" })).toBeUndefined();
});
