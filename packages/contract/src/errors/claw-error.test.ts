import { expect, test } from "vitest";
import { ClawError } from "./claw-error.ts";

test("an error takes hint and retryable from its row", () => {
  const error = new ClawError("SESSION_LOCKED", "it is held", { operation: "lock", target: "s1" });
  expect(error).toMatchObject({
    name: "ClawError",
    code: "SESSION_LOCKED",
    message: "it is held",
    operation: "lock",
    target: "s1",
    retryable: true,
    hint: "Another process is writing to it; call again when it is done.",
    options: { operation: "lock", target: "s1" },
  });
  expect(error.cause).toBeUndefined();
});

test("an instance that knows better says so", () => {
  const cause = new Error("EBUSY");
  const error = new ClawError("FILESYSTEM_ERROR", "busy", {
    operation: "open",
    target: "f",
    retryable: true,
    hint: "Wait.",
    cause,
  });
  expect([error.retryable, error.hint, error.cause]).toEqual([true, "Wait.", cause]);
});
