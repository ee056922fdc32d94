import { expect, test } from "vitest";
import { ERROR_CODES } from "../errors/errors.ts";
import { VERBS } from "../verbs/index.generated.ts";
import { COMMON_ERRORS, DISPATCH_ERRORS, errorsOf } from "./common-errors.ts";

test("a verb that reads can answer its own errors and those of every call, each once and sorted", () => {
  const codes = errorsOf({ errors: ["INVALID_CURSOR", "TIMEOUT"], effect: "read" });
  expect(codes).toEqual([...COMMON_ERRORS, "INVALID_CURSOR"].toSorted());
});

test.each(["write", "delete"] as const)("a verb that does %s can also refuse an idempotency key", (effect) => {
  expect(errorsOf({ errors: [], effect })).toEqual(
    [...COMMON_ERRORS, "IDEMPOTENCY_KEY_BUSY", "IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_OUTCOME_UNKNOWN"].toSorted(),
  );
});

test("every listed code is a row of the catalogue", () => {
  const listed = [...DISPATCH_ERRORS, ...Object.values(VERBS).flatMap((verb) => errorsOf(verb))];
  expect(listed.filter((code) => !ERROR_CODES.includes(code))).toEqual([]);
});
