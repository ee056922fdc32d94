import { describe, expect, test } from "vitest";
import { ClawError, ERROR_CODES, errorRow } from "../errors/errors.ts";
import type { ErrorCode } from "../errors/errors.ts";
import { exitNumber } from "../errors/exits.ts";
import type { Notes, Outcome, Result } from "./outcome.ts";
import { ENVELOPES } from "./outcome.ts";
import { exitCodeFor, respond } from "./respond.ts";

const outcome = (result: Result, notes: Partial<Notes> = {}): Outcome => ({
  command: "load-session",
  result,
  notes: { warnings: [], ...notes },
  finishedAt: new Date("2026-01-02T03:04:05.678Z"),
  durationMs: 12.6,
  requestId: "req_1",
  toolVersion: "0.1.0",
});

const failed = (failure: ClawError, notes: Partial<Notes> = {}): Outcome =>
  outcome({ kind: "failure", failure }, notes);

const plain = (code: ErrorCode): ClawError => new ClawError(code, "it failed", { operation: "open", target: "t" });

const META = {
  duration_ms: 13,
  request_id: "req_1",
  schema_version: "1.0",
  tool_version: "0.1.0",
  command: "load-session",
  timestamp: "2026-01-02T03:04:05.678Z",
};

const COMMON = {
  timestamp: "2026-01-02T03:04:05Z",
  command: "load-session",
  output_format: "json",
  schema_version: "1.0",
};

describe("data", () => {
  const data = outcome({ kind: "data", data: { session_id: "s1", found: true } });

  test("stands at the top level in claw, behind the common fields", () => {
    const { body, exitCode } = respond(data, "claw");
    expect(exitCode).toBe(0);
    expect(Object.entries(body)).toEqual([
      ["timestamp", "2026-01-02T03:04:05Z"],
      ["command", "load-session"],
      ["exit_code", 0],
      ["output_format", "json"],
      ["schema_version", "1.0"],
      ["session_id", "s1"],
      ["found", true],
    ]);
  });

  test("stands alone in flat", () => {
    expect(respond(data, "flat")).toEqual({ body: { session_id: "s1", found: true }, exitCode: 0 });
  });

  test("stands under data in response", () => {
    expect(respond(data, "response")).toEqual({
      body: { ok: true, data: { session_id: "s1", found: true }, error: null, warnings: [], meta: META },
      exitCode: 0,
    });
  });
});

describe.each(ERROR_CODES)("%s", (code) => {
  const row = errorRow(code);
  const failure = plain(code);

  test("in claw has error, type, kind and hint, and the exit stands in the body", () => {
    const exitCode = row.exit === "TIMEOUT" ? 2 : 1;
    expect(respond(failed(failure), "claw")).toEqual({
      body: {
        ...COMMON,
        exit_code: exitCode,
        type: "error",
        kind: row.kind,
        hint: row.hint,
        ...(row.lookup ? { name: "t", found: false } : {}),
        error: {
          kind: row.lookup ? row.kind : row.class,
          operation: "open",
          target: "t",
          retryable: row.retryable,
          message: "it failed",
          hint: row.hint,
          code,
          phase: row.phase,
        },
      },
      exitCode,
    });
  });

  test("in flat is a short object and exit 1", () => {
    expect(respond(failed(failure), "flat")).toEqual({
      body: { type: "error", error: "it failed", kind: row.kind, hint: row.hint, code },
      exitCode: 1,
    });
  });

  test("in response has all five keys and the exit of its row", () => {
    const correctable = row.exit === "ARG_ERROR" || row.exit === "REDIRECTED" || code === "TOKEN_EXPIRED";
    expect(respond(failed(failure), "response")).toEqual({
      body: {
        ok: false,
        data: null,
        error: {
          code,
          message: "it failed",
          retryable: row.retryable || correctable,
          phase: row.phase,
          suggestion: row.hint,
          operation: "open",
          target: "t",
          ...(code === "TOKEN_EXPIRED" ? { retry_after: 0, retry_after_ms: 0 } : {}),
        },
        warnings: [],
        meta: META,
      },
      exitCode: exitNumber(row.exit),
    });
  });
});

describe("what an error knows beyond its row", () => {
  const redirect = { command: "claw list-sessions", permanent: true, reason: "renamed" } as const;
  const failure = new ClawError("COMMAND_RENAMED", "it moved", {
    operation: "resolve_command",
    target: "sessions",
    hint: "Call the other.",
    retryAfterMs: 1001,
    redirect,
    details: { suggestions: ["list-sessions"] },
  });
  const extra = { retry_after: 2, retry_after_ms: 1001, redirect, suggestions: ["list-sessions"] };

  test("stands in error of claw", () => {
    expect(respond(failed(failure), "claw").body["error"]).toEqual({
      kind: "usage",
      operation: "resolve_command",
      target: "sessions",
      retryable: false,
      message: "it moved",
      hint: "Call the other.",
      code: "COMMAND_RENAMED",
      phase: "validation",
      ...extra,
    });
  });

  test("stands beside the text of flat", () => {
    expect(respond(failed(failure), "flat").body).toEqual({
      type: "error",
      error: "it moved",
      kind: "command_renamed",
      hint: "Call the other.",
      code: "COMMAND_RENAMED",
      ...extra,
    });
  });

  test("stands in error of response", () => {
    expect(respond(failed(failure), "response").body["error"]).toEqual({
      code: "COMMAND_RENAMED",
      message: "it moved",
      retryable: true,
      phase: "validation",
      suggestion: "Call the other.",
      operation: "resolve_command",
      target: "sessions",
      ...extra,
    });
  });

  test.each([
    [0, 0],
    [1, 1],
    [999, 1],
    [1000, 1],
    [1001, 2],
    [60_000, 60],
  ])("a wait of %i ms is %i seconds, never too short", (retryAfterMs, seconds) => {
    const limited = new ClawError("RATE_LIMIT_EXCEEDED", "slow down", { operation: "call", target: "m", retryAfterMs });
    const { retry_after, retry_after_ms } = respond(failed(limited), "response").body["error"] as Record<
      string,
      number
    >;
    expect([retry_after, retry_after_ms]).toEqual([seconds, retryAfterMs]);
  });

  test("never replaces what the envelope itself says", () => {
    const details = { code: "x", kind: "x", message: "x", retryable: "x", phase: "x", operation: "x", target: "x" };
    const odd = new ClawError("DISK_FULL", "full", { operation: "write", target: "f", details });
    const fixed = { code: "DISK_FULL", message: "full", retryable: true, phase: "execution" };
    expect(respond(failed(odd), "claw").body["error"]).toMatchObject({ ...fixed, kind: "filesystem" });
    expect(respond(failed(odd), "flat").body).toMatchObject({ code: "DISK_FULL", kind: "filesystem_io_error" });
    expect(respond(failed(odd), "response").body["error"]).toMatchObject(fixed);
  });
});

describe("what was achieved all the same", () => {
  const partial = { kind: "doctor", status: "fail", checks: [{ id: "node" }] };
  const failure = new ClawError("DOCTOR_FAILED", "one failed", { operation: "check", target: "node", partial });

  test("stands at the top level of claw and flat, and kind stays the precise token", () => {
    for (const envelope of ["claw", "flat"] as const) {
      expect(respond(failed(failure), envelope).body).toMatchObject({
        type: "error",
        kind: "doctor_failed",
        status: "fail",
        checks: [{ id: "node" }],
      });
    }
  });

  test("stands in meta.partial of response, and data stays null", () => {
    const { body } = respond(failed(failure), "response");
    expect([body["data"], body["meta"]]).toEqual([null, { ...META, partial }]);
  });

  test("does not hide that a lookup found nothing", () => {
    const missing = new ClawError("SESSION_NOT_FOUND", "none", {
      operation: "resolve_session",
      target: "s9",
      partial: { session_id: "s9", deleted: false, name: "other", found: true },
    });
    expect(respond(failed(missing), "claw").body).toMatchObject({
      session_id: "s9",
      deleted: false,
      name: "s9",
      found: false,
      kind: "session_not_found",
      error: { kind: "session_not_found", target: "s9" },
    });
  });
});

describe("notes", () => {
  const notes = { warnings: ["W: careful"], truncated: true, cursor: "s7", etag: "abc" };

  test("stand at the top level of claw and flat when they are set", () => {
    const said = outcome({ kind: "data", data: { a: 1 } }, notes);
    expect(respond(said, "claw").body).toEqual({ ...COMMON, exit_code: 0, a: 1, ...notes });
    expect(respond(said, "flat").body).toEqual({ a: 1, ...notes });
  });

  test("stand in warnings and meta of response", () => {
    const { warnings, ...others } = notes;
    const traced = { ...outcome({ kind: "data", data: { a: 1 } }, notes), traceId: "trace-1" };
    expect(respond(traced, "response").body).toEqual({
      ok: true,
      data: { a: 1 },
      error: null,
      warnings,
      meta: { ...META, ...others, trace_id: "trace-1" },
    });
  });

  test("accompany failures too", () => {
    const [claw, flat] = (["claw", "flat"] as const).map(
      (envelope) => respond(failed(plain("TIMEOUT"), { warnings: ["W"] }), envelope).body["warnings"],
    );
    expect([claw, flat]).toEqual([["W"], ["W"]]);
  });

  test("an answer that is still the same has no data, no error and exit 0", () => {
    const same = outcome({ kind: "not-modified" }, { etag: "abc" });
    expect(ENVELOPES.map((envelope) => respond(same, envelope))).toEqual([
      { body: { ...COMMON, exit_code: 0, etag: "abc", not_modified: true }, exitCode: 0 },
      { body: { etag: "abc", not_modified: true }, exitCode: 0 },
      {
        body: { ok: true, data: null, error: null, warnings: [], meta: { ...META, etag: "abc", not_modified: true } },
        exitCode: 0,
      },
    ]);
  });
});

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
