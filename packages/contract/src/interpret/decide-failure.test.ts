import { describe, expect, test } from "vitest";
import { COMMAND, expected, failure, interpret, retried, success } from "./testing/interpret-text.ts";
import type { EscalationReason } from "./index.ts";
import { EMPTY_HISTORY, MAX_RETRY_DELAY_MS, rewriteCommand } from "./index.ts";

describe("retries", () => {
  test("ARG_ERROR is retried at once, with the suggestion", () => {
    const error = { code: "INVALID_ENV", message: "no", retryable: true, phase: "validation", suggestion: "prod, dev" };
    expect(interpret(3, failure(error))).toEqual(
      expected({
        exit: "ARG_ERROR",
        action: { kind: "retry", delayMs: 0, code: "INVALID_ENV", attempt: 1, suggestion: "prod, dev" },
        delayMs: 0,
        history: retried("INVALID_ENV", 1),
      }),
    );
  });

  test.each([
    [1, false],
    [2, false],
    [3, true],
    [4, false],
    [5, false],
    [6, false],
    [7, false],
    [9, false],
    [10, false],
    [11, true],
    [12, true],
  ])("exit %s without retryable follows the exit table: %s", (exitCode, retryable) => {
    expect(interpret(exitCode, failure({ code: "X", message: "x" })).action.kind).toBe(
      retryable ? "retry" : "escalate",
    );
  });

  test("retryable overrules the exit table both ways", () => {
    expect(interpret(10, failure({ code: "T", message: "t", retryable: true })).action.kind).toBe("retry");
    expect(interpret(12, failure({ code: "T", message: "t", retryable: false })).action).toMatchObject({
      reason: "not-retryable",
    });
  });

  test("retryable that is no boolean counts as absent", () => {
    const result = interpret(12, failure({ code: "T", message: "t", retryable: "yes" }));
    expect([result.action.kind, result.anomalies]).toEqual(["retry", ["retryable-malformed"]]);
  });

  test.each([
    [{ retry_after: 30 }, 30_000, []],
    [{ retry_after: 0 }, 0, []],
    [{ retry_after: 0.25 }, 250, []],
    [{}, 1000, []],
    [{ retry_after: null }, 1000, []],
    [{ retry_after: -5 }, 1000, ["retry-after-malformed"]],
    [{ retry_after: "30" }, 1000, ["retry-after-malformed"]],
    [{ retry_after: 2, retry_after_ms: 1500 }, 1500, []],
    [{ retry_after: 2, retry_after_ms: -1 }, 2000, ["retry-after-malformed"]],
    [{ retry_after: "soon", retry_after_ms: 0 }, 0, ["retry-after-malformed"]],
    [{ retry_after_ms: 10.2 }, 11, []],
    [{ retry_after: MAX_RETRY_DELAY_MS / 1000 }, MAX_RETRY_DELAY_MS, []],
  ] as const)("%j waits %s ms", (fields, delayMs, anomalies) => {
    const error = { code: "RATE_LIMIT_EXCEEDED", message: "m", retryable: true, ...fields };
    expect(interpret(11, failure(error))).toEqual(
      expected({
        exit: "RATE_LIMITED",
        action: { kind: "retry", delayMs, code: "RATE_LIMIT_EXCEEDED", attempt: 1 },
        delayMs,
        anomalies,
        history: retried("RATE_LIMIT_EXCEEDED", 1),
      }),
    );
  });

  test("a wait beyond the limit is escalated with its length instead of being cut short", () => {
    expect(interpret(11, failure({ code: "QUOTA", message: "m", retry_after: 86_400 }))).toEqual(
      expected({
        exit: "RATE_LIMITED",
        action: {
          kind: "escalate",
          reason: "retry-too-far",
          exit: "RATE_LIMITED",
          code: "QUOTA",
          message: "m",
          retryAfterMs: 86_400_000,
        },
      }),
    );
  });

  test("the fourth failure with one code is escalated; another code and another command count apart", () => {
    const stdout = failure({ code: "DOWN", message: "m" });
    let history: unknown;
    const kinds: string[] = [];
    for (let call = 1; call <= 4; call++) {
      const result = interpret(12, stdout, history);
      kinds.push(result.action.kind);
      ({ history } = result);
    }
    expect(kinds).toEqual(["retry", "retry", "retry", "escalate"]);
    expect(history).toEqual(retried("DOWN", 3));
    expect(interpret(12, failure({ code: "OTHER", message: "m" }), history).action.kind).toBe("retry");
    expect(interpret(12, stdout, history, "tool other").action).toMatchObject({ kind: "retry", attempt: 1 });
  });

  test("ever new codes come to an end too", () => {
    let history: unknown;
    let calls = 0;
    for (let kind = "retry"; kind === "retry"; calls++) {
      const result = interpret(12, failure({ code: `E${calls}`, message: "m" }), history);
      ({ kind } = result.action);
      ({ history } = result);
    }
    expect(calls).toBe(11);
  });

  test("a success clears the counters of its command and no other's", () => {
    const history = {
      ...EMPTY_HISTORY,
      retries: [
        { command: COMMAND, code: "DOWN", count: 3 },
        { command: "tool other", code: "DOWN", count: 2 },
      ],
      refreshes: [COMMAND, "tool other"],
    };
    expect(interpret(0, success({}), history).history).toEqual({
      ...EMPTY_HISTORY,
      retries: [{ command: "tool other", code: "DOWN", count: 2 }],
      refreshes: ["tool other"],
    });
  });

  test("a malformed success clears nothing", () => {
    expect(interpret(0, "", retried("DOWN", 3)).history).toEqual(retried("DOWN", 3));
  });
});

describe("credentials", () => {
  const expiredAnswer = failure({ code: "TOKEN_EXPIRED", message: "m", retryable: true, retry_after: 0 });

  test("an expired token is refreshed once; the second time new credentials are acquired", () => {
    const first = interpret(8, expiredAnswer);
    expect(first).toEqual(
      expected({
        exit: "AUTH_REQUIRED",
        action: { kind: "refresh-credentials", code: "TOKEN_EXPIRED" },
        history: { ...EMPTY_HISTORY, refreshes: [COMMAND] },
      }),
    );
    expect(interpret(8, expiredAnswer, first.history)).toEqual(
      expected({
        exit: "AUTH_REQUIRED",
        action: { kind: "acquire-credentials", code: "TOKEN_EXPIRED", refreshTried: true },
        history: { ...retried("TOKEN_EXPIRED", 1), refreshes: [COMMAND] },
      }),
    );
  });

  test("after a success an expired token may be refreshed again", () => {
    const { history } = interpret(0, success({}), interpret(8, expiredAnswer).history);
    expect(interpret(8, expiredAnswer, history).action.kind).toBe("refresh-credentials");
  });

  test.each(["TOKEN_INVALID", "TOKEN_MISSING"])("%s asks for new credentials, even when called retryable", (code) => {
    expect(interpret(8, failure({ code, message: "m", retryable: true }))).toEqual(
      expected({
        exit: "AUTH_REQUIRED",
        action: { kind: "acquire-credentials", code, refreshTried: false },
        history: retried(code, 1),
      }),
    );
  });

  test("any other code at AUTH_REQUIRED asks for credentials unless it says a retry helps", () => {
    expect(interpret(8, failure({ code: "LOGIN", message: "m" })).action.kind).toBe("acquire-credentials");
    expect(interpret(8, failure({ code: "LOGIN", message: "m", retryable: true })).action.kind).toBe("retry");
  });

  test("credentials that stay bad are escalated in the end", () => {
    expect(interpret(8, failure({ code: "TOKEN_INVALID", message: "m" }), retried("TOKEN_INVALID", 3)).action).toEqual({
      kind: "escalate",
      reason: "retries-exhausted",
      exit: "AUTH_REQUIRED",
      code: "TOKEN_INVALID",
      message: "m",
    });
  });
});

describe("redirects", () => {
  const redirectTo = (redirect: unknown): string =>
    failure({ code: "COMMAND_RENAMED", message: "m", retryable: true, redirect });

  test("a permanent redirect is followed verbatim and remembered first", () => {
    const command = "  tool users add --name 'a  b'";
    expect(interpret(13, redirectTo({ command, permanent: true, reason: "renamed" }))).toEqual(
      expected({
        exit: "REDIRECTED",
        action: { kind: "redirect", command, permanent: true, reason: "renamed" },
        history: {
          ...EMPTY_HISTORY,
          redirects: [{ from: COMMAND, to: command, reason: "renamed" }],
          trails: [{ command, via: [COMMAND] }],
        },
      }),
    );
  });

  test("a temporary redirect leaves no mapping behind", () => {
    const { action, history } = interpret(13, redirectTo({ command: "B", permanent: false }));
    expect(action).toEqual({ kind: "redirect", command: "B", permanent: false });
    expect(rewriteCommand(COMMAND, history)).toBe(COMMAND);
    expect(interpret(0, success({}), history, "B").history).toEqual(EMPTY_HISTORY);
  });

  test("a redirect that does not say whether it is permanent holds once", () => {
    const result = interpret(13, redirectTo({ command: "B", permanent: "true" }));
    expect([result.action, result.anomalies, result.history.redirects]).toEqual([
      { kind: "redirect", command: "B", permanent: false },
      ["redirect-permanent-absent"],
      [],
    ]);
  });

  test.each([undefined, null, "B", [], {}, { permanent: true }, { command: " ", permanent: true }, { command: 5 }])(
    "the redirect %j is malformed and nothing is retried",
    (redirect) => {
      expect(interpret(13, redirectTo(redirect)).action).toMatchObject({ reason: "redirect-malformed" });
    },
  );

  test.each([1, 5, 12])("a redirect at exit %s is ignored", (exitCode) => {
    const result = interpret(exitCode, redirectTo({ command: "B", permanent: true }));
    expect(result.action.kind).not.toBe("redirect");
    expect(result.anomalies).toEqual(["redirect-ignored"]);
    expect(result.history.redirects).toEqual([]);
  });

  test("a loop is escalated and its mappings are forgotten", () => {
    const there = interpret(13, redirectTo({ command: "B", permanent: true }), undefined, "A");
    const back = interpret(13, redirectTo({ command: "A", permanent: true }), there.history, "B");
    expect(back.action).toMatchObject({ kind: "escalate", reason: "redirect-loop", code: "COMMAND_RENAMED" });
    expect(back.history).toEqual(EMPTY_HISTORY);
    expect(interpret(13, redirectTo({ command: "A", permanent: false }), undefined, "A").action).toMatchObject({
      reason: "redirect-loop",
    });
  });

  test("a later redirect back replaces the mapping it contradicts", () => {
    const stored = { redirects: [{ from: "A", to: "B" }] };
    const { history } = interpret(13, redirectTo({ command: "A", permanent: true }), stored, "B");
    expect(history.redirects).toEqual([{ from: "B", to: "A" }]);
  });

  test("a chain of redirects without end is cut off", () => {
    let history: unknown;
    const reasons: (EscalationReason | "redirect")[] = [];
    for (let hop = 0; hop < 6; hop++) {
      const result = interpret(13, redirectTo({ command: `C${hop + 1}`, permanent: false }), history, `C${hop}`);
      reasons.push(result.action.kind === "escalate" ? result.action.reason : "redirect");
      ({ history } = result);
    }
    expect(reasons).toEqual([...Array.from({ length: 5 }, () => "redirect"), "redirect-limit"]);
  });

  test("a success at the end of a trail clears the counters of its beginning", () => {
    const history = interpret(13, redirectTo({ command: "B", permanent: false }), retried("DOWN", 2)).history;
    expect(interpret(0, success({}), history, "B").history).toEqual(EMPTY_HISTORY);
  });
});
