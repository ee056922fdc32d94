import { describe, expect, test } from "vitest";
import { readErrorInfo } from "./error-info.ts";

const meaning = (info: unknown) => {
  const { category, unavailable } = readErrorInfo(info);
  return [category, unavailable];
};

describe("what Codex says of a failure", () => {
  test.each([
    ["internalServerError", "api", true],
    ["internal_server_error", "api", true],
    ["serverOverloaded", "api", true],
    ["flexUnavailable", "api", true],
    ["policyCapacityUnavailable", "api", true],
    ["usageLimitExceeded", "rate_limit", false],
    ["rateLimitExceeded", "rate_limit", false],
    ["unauthorized", "auth", false],
    ["badRequest", "api", false],
    ["contextWindowExceeded", "api", false],
    ["sessionBudgetExceeded", "api", false],
    ["modelNotFound", "api", false],
    ["cyberPolicy", "api", false],
    ["misalignmentPolicyViolation", "api", false],
    ["tooManyDenials", "api", false],
    ["threadRollbackFailed", "subprocess", false],
    ["sandboxError", "subprocess", false],
    ["aWordOfTomorrow", "api", false],
    ["other", null, null],
    [null, null, null],
    [{ responseStreamDisconnected: { httpStatusCode: null } }, "api", true],
    [{ http_connection_failed: { http_status_code: null } }, "api", true],
    [{ activeTurnNotSteerable: { turnKind: "review" } }, "subprocess", false],
  ])("%j is %s, unavailable: %s", (info, category, unavailable) => {
    expect(meaning(info)).toEqual([category, unavailable]);
  });

  test.each([
    [{ httpConnectionFailed: { httpStatusCode: 503 } }, 503, "api"],
    [{ http_connection_failed: { http_status_code: 401 } }, 401, "auth"],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, 429, "rate_limit"],
  ])("%j is judged by its status", (info, status, category) => {
    expect(readErrorInfo(info)).toEqual({ status, category, unavailable: null });
  });
});
