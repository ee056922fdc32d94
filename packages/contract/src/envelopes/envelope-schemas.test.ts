import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ClawErrorOptions } from "../errors/coded-error.ts";
import { ClawError, ERROR_CODES } from "../errors/errors.ts";
import { exitCodeFor, respond } from "./respond.ts";
import { ClawEnvelope, FlatEnvelope, ResponseEnvelope } from "./envelope-schemas.ts";
import type { Notes, Outcome, Result } from "./outcome.ts";
import { RESERVED_NAMES } from "./outcome.ts";

/** Names that envelopes use besides the reserved ones, so that a free payload cannot contradict the schema. */
const NOTE_NAMES = ["truncated", "cursor", "etag", "not_modified", "kind", "name", "found"];
const ERROR_NAMES = ["code", "message", "retryable", "phase", "suggestion", "operation", "target"];
const TAKEN = new Set<string>([
  ...RESERVED_NAMES,
  ...NOTE_NAMES,
  ...ERROR_NAMES,
  "retry_after",
  "retry_after_ms",
  "redirect",
]);

const payload = fc
  .dictionary(
    fc.string().filter((key) => !TAKEN.has(key) && key !== "__proto__"),
    fc.jsonValue(),
    { maxKeys: 4 },
  )
  .map((fields) => ({ ...fields }));

const redirect = fc.record({
  command: fc.string(),
  permanent: fc.boolean(),
  reason: fc.constantFrom("renamed", "restructured", "deprecated", "typo_corrected" as const),
});

const options: fc.Arbitrary<ClawErrorOptions> = fc.record(
  {
    operation: fc.string(),
    target: fc.string(),
    retryable: fc.boolean(),
    hint: fc.string(),
    retryAfterMs: fc.nat(),
    redirect,
    partial: payload,
    details: payload,
  },
  { requiredKeys: ["operation", "target"] },
);

const result: fc.Arbitrary<Result> = fc.oneof(
  payload.map((data): Result => ({ kind: "data", data })),
  fc.constant<Result>({ kind: "not-modified" }),
  fc
    .tuple(fc.constantFrom(...ERROR_CODES), fc.string(), options)
    .map(([code, message, given]): Result => ({ kind: "failure", failure: new ClawError(code, message, given) })),
);

const notes: fc.Arbitrary<Notes> = fc.record(
  { warnings: fc.array(fc.string()), truncated: fc.boolean(), cursor: fc.string(), etag: fc.string() },
  { requiredKeys: ["warnings"] },
);

const outcome: fc.Arbitrary<Outcome> = fc.record(
  {
    command: fc.string(),
    result,
    notes,
    finishedAt: fc.date({ min: new Date("1970-01-01"), max: new Date("9999-01-01"), noInvalidDate: true }),
    durationMs: fc.double({ min: -1, max: 1e9, noNaN: true }),
    requestId: fc.string(),
    toolVersion: fc.string(),
    traceId: fc.string(),
  },
  { requiredKeys: ["command", "result", "notes", "finishedAt", "durationMs", "requestId", "toolVersion"] },
);

/** What a reader gets: the body after a journey as JSON. */
const received = (body: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(body)) as Record<string, unknown>;

test("whatever happened, the claw envelope fits its schema and carries the exit of the process", () => {
  fc.assert(
    fc.property(outcome, (given) => {
      const { body, exitCode } = respond(given, "claw");
      const read = ClawEnvelope.parse(received(body));
      expect(read.exit_code).toBe(exitCode);
      expect(read.error === undefined).toBe(exitCode === 0);
      expect(read.type).toBe(exitCode === 0 ? undefined : "error");
    }),
  );
});

test("whatever happened, the flat envelope fits its schema and is an error exactly when the exit is 1", () => {
  fc.assert(
    fc.property(outcome, (given) => {
      const { body, exitCode } = respond(given, "flat");
      const read = FlatEnvelope.parse(received(body));
      expect(exitCode).toBe(read.type === "error" ? 1 : 0);
      expect(typeof read.error).toBe(exitCode === 0 ? "undefined" : "string");
    }),
  );
});

test("whatever happened, the response envelope fits its schema and ok, data and error agree with the exit", () => {
  fc.assert(
    fc.property(outcome, (given) => {
      const { body, exitCode } = respond(given, "response");
      const read = ResponseEnvelope.parse(received(body));
      expect(Object.keys(body)).toEqual(["ok", "data", "error", "warnings", "meta"]);
      expect(read.ok).toBe(exitCode === 0);
      expect(read.ok).toBe(read.error === null);
      expect(read.data === null).toBe(!read.ok || read.meta.not_modified === true);
      expect(exitCode).toBe(exitCodeFor(given.result, "response", "text"));
    }),
  );
});
