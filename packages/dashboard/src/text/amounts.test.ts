import { expect, test } from "vitest";
import { clockText, countText, moneyText, spanText } from "./amounts.ts";

test.each([
  [-5, "0 s"],
  [8_400, "8 s"],
  [200_000, "3 min"],
  [7_500_000, "2 h 5 min"],
  [7_200_000, "2 h"],
  [4 * 86_400_000, "4 d"],
])("%d ms are %s", (ms, text) => {
  expect(spanText(ms)).toBe(text);
});

test("time left counts up to the next second", () => {
  expect([0, 64_100, 7_380_000].map(clockText)).toEqual(["0:00", "1:05", "2:03:00"]);
});

test("counts and money keep the digits that tell something", () => {
  expect([950, 18_400, 250_000, 1_240_000].map(countText)).toEqual(["950", "18.4k", "250k", "1.2M"]);
  expect([0, 0.0044, 0.31, 12].map(moneyText)).toEqual(["$0.00", "$0.0044", "$0.31", "$12.00"]);
});
