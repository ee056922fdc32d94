import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMMAND, META, expected, failure, interpret, print, retried, success } from "./testing/interpret-text.ts";
import type { Interpretation } from "./index.ts";
import { EMPTY_HISTORY, MAX_RESPONSE_CHARS } from "./index.ts";

describe("the outcome", () => {
  test("a success is accepted with its data", () => {
    expect(interpret(0, success({ id: "deploy-42" }))).toEqual(
      expected({ exit: "SUCCESS", action: { kind: "accept", data: { id: "deploy-42" } } }),
    );
  });

  test("ok:true with a failing exit is a failure, judged by its error", () => {
    const stdout = print({
      ok: true,
      data: { a: 1 },
      error: { code: "BROKEN", message: "no" },
      warnings: [],
      meta: META,
    });
    expect(interpret(1, stdout)).toEqual(
      expected({
        exit: "GENERAL_ERROR",
        action: { kind: "escalate", reason: "not-retryable", exit: "GENERAL_ERROR", code: "BROKEN", message: "no" },
        anomalies: ["ok-conflicts-with-exit"],
      }),
    );
  });

  test("ok:false with exit 0 is a success", () => {
    const stdout = print({ ok: false, data: [1], error: null, warnings: [], meta: META });
    expect(interpret(0, stdout)).toEqual(
      expected({ exit: "SUCCESS", action: { kind: "accept", data: [1] }, anomalies: ["ok-conflicts-with-exit"] }),
    );
  });

  test("exit 0 stands even beside an error object", () => {
    const stdout = print({ ok: false, data: null, error: { code: "X", message: "x" }, warnings: [], meta: META });
    expect(interpret(0, stdout)).toEqual(
      expected({
        exit: "SUCCESS",
        action: { kind: "accept", data: null },
        anomalies: ["ok-conflicts-with-exit", "error-on-success"],
      }),
    );
  });

  test.each([14, 63, 64, 127, 137, 255, -1, 0.5, Number.NaN, null])("exit %s counts as GENERAL_ERROR", (exitCode) => {
    expect(interpret(exitCode, failure({ code: "ODD", message: "odd" }))).toEqual(
      expected({
        exit: "GENERAL_ERROR",
        action: { kind: "escalate", reason: "not-retryable", exit: "GENERAL_ERROR", code: "ODD", message: "odd" },
        anomalies: ["exit-unknown"],
      }),
    );
  });

  test.each([130, 143])("exit %s is a cancellation, even when the answer calls itself retryable", (exitCode) => {
    expect(interpret(exitCode, failure({ code: "CANCELLED", message: "stop", retryable: true }))).toEqual(
      expected({
        exit: "CANCELLED",
        action: { kind: "escalate", reason: "cancelled", exit: "CANCELLED", code: "CANCELLED", message: "stop" },
      }),
    );
    expect(interpret(exitCode, "").action).toEqual({ kind: "escalate", reason: "cancelled", exit: "CANCELLED" });
  });
});

describe("missing and malformed fields", () => {
  test.each([
    ["nothing", "", "stdout-empty"],
    ["only blanks", " \n\t ", "stdout-empty"],
    ["prose", "Deployed!", "stdout-not-json"],
    ["half a document", '{"ok":true,', "stdout-not-json"],
    ["two documents", `${success(1)}\n${success(2)}\n`, "stdout-several-documents"],
    ["a document and a log line", `${success(1)}\ndone`, "stdout-several-documents"],
    ["a list", "[]", "stdout-not-an-object"],
    ["a string", '"ok"', "stdout-not-an-object"],
    ["null", "null", "stdout-not-an-object"],
    ["too much", "x".repeat(MAX_RESPONSE_CHARS + 1), "stdout-too-large"],
  ] as const)("%s on stdout is malformed at every exit and never retried", (_, stdout, problem) => {
    for (const [exitCode, exit] of [
      [0, "SUCCESS"],
      [11, "RATE_LIMITED"],
      [13, "REDIRECTED"],
    ] as const) {
      expect(interpret(exitCode, stdout)).toEqual(
        expected({ exit, action: { kind: "escalate", reason: "malformed", problem, exit } }),
      );
    }
  });

  test("a byte order mark and surrounding blanks do no harm", () => {
    expect(interpret(0, `\uFEFF\n${success({ a: 1 })}\r\n`).action).toEqual({ kind: "accept", data: { a: 1 } });
  });

  test("a deeply nested document does not throw", () => {
    const depth = 200_000;
    expect(interpret(0, `${"[".repeat(depth)}${"]".repeat(depth)}`).action.kind).toBe("escalate");
  });

  test.each([0, 1, 11])("an absent error key at exit %s is malformed and not retried", (exitCode) => {
    const stdout = print({ ok: exitCode === 0, data: { a: 1 }, warnings: [], meta: META });
    expect(interpret(exitCode, stdout).action).toMatchObject({ reason: "malformed", problem: "error-absent" });
  });

  test.each(["text", 5, [], true])("an error that is no object (%j) is malformed", (error) => {
    expect(interpret(12, failure(error)).action).toEqual({
      kind: "escalate",
      reason: "malformed",
      problem: "error-malformed",
      exit: "UNAVAILABLE",
    });
  });

  test.each([0, 5])("data and error both null at exit %s are malformed", (exitCode) => {
    const stdout = print({ ok: exitCode === 0, data: null, error: null, warnings: [], meta: META });
    expect(interpret(exitCode, stdout).action).toMatchObject({ reason: "malformed", problem: "data-and-error-null" });
  });

  test("absent data and null error are malformed too", () => {
    const result = interpret(0, print({ ok: true, error: null, warnings: [], meta: META }));
    expect(result.action).toMatchObject({ reason: "malformed", problem: "data-and-error-null" });
    expect(result.anomalies).toEqual(["data-absent"]);
  });

  test("a failing exit with data and a null error is malformed", () => {
    const stdout = print({ ok: true, data: { a: 1 }, error: null, warnings: [], meta: META });
    expect(interpret(12, stdout).action).toMatchObject({ reason: "malformed", problem: "error-null-on-failure" });
  });

  test("absent ok, warnings and meta are tolerated", () => {
    expect(interpret(0, print({ data: { a: 1 }, error: null }))).toEqual(
      expected({
        exit: "SUCCESS",
        action: { kind: "accept", data: { a: 1 } },
        anomalies: ["ok-absent", "warnings-absent", "meta-absent"],
      }),
    );
  });

  test("an error without a code is counted by the name of its exit", () => {
    expect(interpret(11, failure({ message: "slow down" }))).toEqual(
      expected({
        exit: "RATE_LIMITED",
        action: { kind: "retry", delayMs: 1000, code: "RATE_LIMITED", attempt: 1 },
        delayMs: 1000,
        anomalies: ["code-absent"],
        history: retried("RATE_LIMITED", 1),
      }),
    );
  });
});

describe("pages and caches", () => {
  test("a truncated answer with a cursor asks for the next page", () => {
    expect(interpret(0, success([1, 2], { ...META, truncated: true, cursor: "c2" })).action).toEqual({
      kind: "next-page",
      cursor: "c2",
      data: [1, 2],
    });
  });

  test.each([undefined, "", 7, null])("a truncated answer with the cursor %j cannot be completed", (cursor) => {
    expect(interpret(0, success([1], { ...META, truncated: true, cursor })).action).toEqual({
      kind: "escalate",
      reason: "truncated-without-cursor",
      exit: "SUCCESS",
    });
  });

  test.each([`${COMMAND} --cursor c2`, `${COMMAND} --cursor=c2`])(
    "%s answering with its own cursor is a loop",
    (call) => {
      const stdout = success([1], { ...META, truncated: true, cursor: "c2" });
      expect(interpret(0, stdout, undefined, call).action).toMatchObject({ reason: "cursor-repeats" });
    },
  );

  test("a whole answer that offers a cursor is accepted with it", () => {
    expect(interpret(0, success([1], { ...META, cursor: "c2" })).action).toEqual({
      kind: "accept",
      data: [1],
      cursor: "c2",
    });
  });

  test("not_modified means the cached answer, and null data is no fault", () => {
    expect(interpret(0, success(null, { ...META, not_modified: true }))).toEqual(
      expected({ exit: "SUCCESS", action: { kind: "use-cache" } }),
    );
  });

  test("not_modified beside data still means the cached answer", () => {
    expect(interpret(0, success([1], { ...META, not_modified: true }))).toEqual(
      expected({ exit: "SUCCESS", action: { kind: "use-cache" }, anomalies: ["not-modified-with-data"] }),
    );
  });

  test("not_modified at a failing exit changes nothing", () => {
    const stdout = print({ ok: false, data: null, error: null, warnings: [], meta: { not_modified: true } });
    expect(interpret(1, stdout).action).toMatchObject({ reason: "malformed" });
  });
});

describe("warnings", () => {
  test("are all handed on, and those about an end are remembered once as soft redirects", () => {
    const warnings = ["slow disk", "--old is DEPRECATED", "this flag will be removed in 3.0", "deprecation notice"];
    const stdout = print({ ok: true, data: {}, error: null, warnings, meta: META });
    const softRedirects = warnings.slice(1);
    const result = interpret(0, stdout);
    expect(result).toEqual(
      expected({
        exit: "SUCCESS",
        action: { kind: "accept", data: {} },
        warnings,
        softRedirects,
        history: { ...EMPTY_HISTORY, deprecations: softRedirects.map((warning) => ({ command: COMMAND, warning })) },
      }),
    );
    expect(interpret(0, stdout, result.history).history).toEqual(result.history);
  });

  test("that are no strings are left out", () => {
    const stdout = print({ ok: true, data: {}, error: null, warnings: ["a", 5, null], meta: META });
    const { warnings, anomalies } = interpret(0, stdout);
    expect({ warnings, anomalies }).toEqual({ warnings: ["a"], anomalies: ["warnings-malformed"] });
  });
});

describe("whatever comes", () => {
  const junk = fc.oneof(fc.jsonValue(), fc.constant(undefined));
  const member = (...values: unknown[]) => fc.oneof(fc.constantFrom(...values), junk);
  const errors = fc.record(
    {
      code: member("DOWN", "TOKEN_EXPIRED", "TOKEN_INVALID"),
      retryable: member(true, false),
      retry_after: member(0, 1, -1),
      redirect: fc.oneof(junk, fc.record({ command: member("A", "B", "C"), permanent: member(true, false) })),
    },
    { requiredKeys: [] },
  );
  const envelopes = fc.record(
    { ok: member(true, false), data: junk, error: fc.oneof(errors, junk), warnings: junk, meta: junk },
    { requiredKeys: [] },
  );
  const stdouts = fc.oneof(
    envelopes.map((envelope) => JSON.stringify(envelope)),
    fc.string(),
  );
  const exits = fc.oneof(fc.integer({ min: -1, max: 14 }), fc.constantFrom(130, 143, 255));

  test("no answer and no stored history makes it throw, and the history stays serialisable", () => {
    fc.assert(
      fc.property(
        exits,
        stdouts,
        fc.oneof(junk, fc.record({ retries: junk, trails: junk })),
        (exit, stdout, history) => {
          const result = interpret(exit, stdout, history);
          expect(JSON.parse(JSON.stringify(result.history))).toEqual(result.history);
        },
      ),
    );
  });

  test("a caller that follows every action gets to an end", () => {
    const failing = fc.tuple(fc.integer({ min: 1, max: 13 }), errors.map(failure));
    fc.assert(
      fc.property(fc.array(failing, { minLength: 1, maxLength: 20 }), (answers) => {
        let command = "A";
        let history: unknown;
        let action: Interpretation["action"] | undefined;
        for (let call = 0; action?.kind !== "escalate"; call++) {
          expect(call).toBeLessThan(100);
          const [exitCode, stdout] = answers[call % answers.length] ?? [1, ""];
          ({ action, history } = interpret(exitCode, stdout, history, command));
          if (action.kind === "redirect") ({ command } = action);
        }
      }),
    );
  });
});
