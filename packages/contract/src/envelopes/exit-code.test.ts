import { describe, expect, test } from "vitest";
import { ClawError } from "../errors/claw-error.ts";
import type { ErrorCode } from "../errors/errors.ts";
import { ERROR_CODES, errorRow } from "../errors/errors.ts";
import { exitNumber } from "../errors/exits.ts";
import { exitCodeFor } from "./exit-code.ts";
import type { Result } from "./outcome.ts";
import { ENVELOPES } from "./outcome.ts";

const FORMATS = ["text", "json"] as const;

const failure = (code: ErrorCode, details?: Record<string, unknown>): Result => ({
  kind: "failure",
  failure: new ClawError(code, "it failed", { operation: "o", target: "t", ...(details && { details }) }),
});

const everyExit = (result: Result): Record<string, number[]> =>
  Object.fromEntries(
    ENVELOPES.map((envelope) => [envelope, FORMATS.map((format) => exitCodeFor(result, envelope, format))]),
  );

test("success is 0 everywhere", () => {
  const zero = { claw: [0, 0], flat: [0, 0], response: [0, 0] };
  expect([everyExit({ kind: "data", data: {} }), everyExit({ kind: "not-modified" })]).toEqual([zero, zero]);
});

test.each(ERROR_CODES)("%s ends text and JSON alike, by envelope", (code) => {
  const { exit } = errorRow(code);
  const response = exitNumber(exit);
  const claw = exit === "TIMEOUT" ? 2 : 1;
  expect(everyExit(failure(code))).toEqual({ claw: [claw, claw], flat: [1, 1], response: [response, response] });
});

describe("a call that a signal ended", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("by %s exits %i in response and in text, and 1 in JSON of claw and flat", (signal, exit) => {
    expect(everyExit(failure("CANCELLED", { signal }))).toEqual({
      claw: [exit, 1],
      flat: [exit, 1],
      response: [exit, exit],
    });
  });

  test("exits as its row says when the signal is not known", () => {
    expect(everyExit(failure("CANCELLED", { signal: "SIGUSR1" }))).toEqual({
      claw: [1, 1],
      flat: [1, 1],
      response: [1, 1],
    });
    expect(everyExit(failure("CANCELLED"))["response"]).toEqual([1, 1]);
  });

  test("is believed of CANCELLED alone", () => {
    expect(everyExit(failure("TIMEOUT", { signal: "SIGINT" }))["response"]).toEqual([10, 10]);
  });
});
