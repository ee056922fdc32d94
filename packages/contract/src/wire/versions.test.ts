import { expect, test } from "vitest";
import { commonVersion, compareReleases, rangeOf } from "./versions.ts";

test.each([
  [{ oldest: 1, newest: 1 }, { oldest: 1, newest: 3 }, 1],
  [{ oldest: 1, newest: 4 }, { oldest: 2, newest: 3 }, 3],
  [{ oldest: 2, newest: 3 }, { oldest: 1, newest: 1 }, undefined],
  [{ oldest: 1, newest: 1 }, { oldest: 2, newest: 2 }, undefined],
])("%j and %j have version %s in common", (one, other, common) => {
  expect([commonVersion(one, other), commonVersion(other, one)]).toEqual([common, common]);
});

test("a side that names no range, or nonsense, speaks version 1", () => {
  const nonsense = [undefined, null, 7, "2", {}, { oldest: 3, newest: 2 }, { oldest: 0, newest: 1 }, { newest: 2 }];
  expect(new Set(nonsense.map((named) => JSON.stringify(rangeOf(named))))).toEqual(
    new Set(['{"oldest":1,"newest":1}']),
  );
  expect(rangeOf({ oldest: 2, newest: 5, more: true })).toEqual({ oldest: 2, newest: 5 });
});

test("releases are ordered by their numbers, a pre-release before its release, nonsense first", () => {
  const ordered = ["nonsense", "0.1.0", "0.2.0-rc.1", "0.2.0", "0.10.0", "1.0.0", "10.0.0"];
  expect(ordered.toReversed().toSorted(compareReleases)).toEqual(ordered);
  expect(compareReleases("0.2.0", "0.2.0")).toBe(0);
});
