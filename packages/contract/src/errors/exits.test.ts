import { expect, test } from "vitest";
import type { ExitName } from "./exits.ts";
import { exitName, exitNumber, EXITS } from "./exits.ts";

test("exits have the numbers of the response envelope", () => {
  expect((Object.keys(EXITS) as ExitName[]).map((name) => [exitNumber(name), name])).toEqual([
    [0, "SUCCESS"],
    [1, "GENERAL_ERROR"],
    [2, "PARTIAL_FAILURE"],
    [3, "ARG_ERROR"],
    [4, "PRECONDITION"],
    [5, "NOT_FOUND"],
    [6, "CONFLICT"],
    [7, "PERMISSION_DENIED"],
    [8, "AUTH_REQUIRED"],
    [9, "PAYMENT_REQUIRED"],
    [10, "TIMEOUT"],
    [11, "RATE_LIMITED"],
    [12, "UNAVAILABLE"],
    [13, "REDIRECTED"],
  ]);
});

test("a number leads back to its name, and an unknown one to none", () => {
  expect([0, 5, 13, 14, -1, 130].map(exitName)).toEqual([
    "SUCCESS",
    "NOT_FOUND",
    "REDIRECTED",
    undefined,
    undefined,
    undefined,
  ]);
});

test("a caller may repeat only what changed nothing", () => {
  expect(Object.values(EXITS).filter((exit) => exit.retryable && exit.sideEffects !== "none")).toEqual([]);
});
