import { ClawError } from "claw-contract";
import { expect, test } from "vitest";
import { attempt } from "./tool-answer.ts";

const failure = new ClawError("FILESYSTEM_ERROR", "it is broken", { operation: "read", target: "x" });
const fail = (): never => {
  throw failure;
};

test("a failure of the catalogue is an output, any other an error", async () => {
  const { signal } = new AbortController();
  expect(await attempt(signal, fail)).toEqual({ output: "it is broken", isError: true });
  await expect(attempt(signal, () => Promise.reject(new TypeError("a bug")))).rejects.toThrow("a bug");
});

test.each(["CANCELLED", "TIMEOUT"] as const)("work that is stopped rejects with the reason: %s", async (code) => {
  const stop = new AbortController();
  const reason = new ClawError(code, "stopped", { operation: "run", target: "x" });
  const stopped = attempt(stop.signal, () => {
    stop.abort(reason);
    return fail();
  });
  await expect(stopped).rejects.toBe(reason);
  await expect(attempt(stop.signal, () => ({ output: "late", isError: false }))).rejects.toBe(reason);
});
