import { CLIENT_LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { backOffMs } from "./back-off.ts";

test("waits double, half by chance, up to a cap", () => {
  expect([0, 1, 2, 3].map((failures) => [backOffMs(failures, 0), backOffMs(failures, 1)])).toEqual([
    [50, 100],
    [100, 200],
    [200, 400],
    [400, 800],
  ]);
  expect(backOffMs(1_000_000, 1)).toBe(CLIENT_LIMITS.retryMostMs);
});
