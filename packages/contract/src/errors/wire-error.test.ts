import { expect, test } from "vitest";
import { ClawError, errorRow } from "./errors.ts";
import { BUS_ERROR_CODES, CLIENT_ERROR_CODES } from "./wire-error-codes.ts";
import { isWireErrorCode, WireError } from "./wire-error.ts";

const about = { operation: "publish", target: "t" };

test.each(CLIENT_ERROR_CODES)("%s is the same error in a client", (code) => {
  const [own, whole] = [new WireError(code, "m", about), new ClawError(code, "m", about)];
  expect([own.retryable, own.hint]).toEqual([whole.retryable, whole.hint]);
  expect([own instanceof ClawError, whole instanceof WireError, own.name]).toEqual([true, true, "ClawError"]);
});

test.each(BUS_ERROR_CODES)("%s takes the hint that the bus sends", (code) => {
  const hint = "Do this.";
  expect(new WireError(code, "m", { ...about, hint })).toMatchObject({ retryable: errorRow(code).retryable, hint });
  expect(new WireError(code, "m", about).hint).toContain("errors.md");
});

test("other codes are not the client's", () => {
  expect(["WORKER_NOT_FOUND", "UNKNOWN_FLAG", "toString", 5].map(isWireErrorCode)).toEqual([true, false, false, false]);
});
