import { expect, test } from "vitest";
import { lifetimeOf } from "./create.ts";

test("a number and a unit are a time", () => {
  expect(["90s", "5m", "12h", "30d"].map(lifetimeOf)).toEqual([90_000, 300_000, 43_200_000, 2_592_000_000]);
});

test.each(["367d", "99999999d", "99999999h"])("%s is too long for a token", (text) => {
  expect(() => lifetimeOf(text)).toThrow(/--expires must be at most 366d/);
});
