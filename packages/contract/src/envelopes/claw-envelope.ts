import type { ClawError } from "../errors/errors.ts";
import { errorRow } from "../errors/errors.ts";
import type { JsonObject } from "../json.ts";
import { setNotes, SCHEMA_VERSION, retryFields } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";

/** The default envelope: common fields, then the payload at the top level. */
export function clawEnvelope(outcome: Outcome, exitCode: number): JsonObject {
  const { result } = outcome;
  return {
    timestamp: `${outcome.finishedAt.toISOString().slice(0, 19)}Z`,
    command: outcome.command,
    ...(outcome.action === undefined ? {} : { action: outcome.action }),
    exit_code: exitCode,
    output_format: "json",
    schema_version: SCHEMA_VERSION,
    ...(result.kind === "data" ? result.data : {}),
    ...(result.kind === "failure" ? failureFields(result.failure) : {}),
    ...setNotes(outcome),
  };
}

function failureFields(failure: ClawError): JsonObject {
  const row = errorRow(failure.code);
  const own = {
    kind: row.lookup ? row.kind : row.class,
    operation: failure.operation,
    target: failure.target,
    retryable: failure.retryable,
    message: failure.message,
    hint: failure.hint,
    code: failure.code,
    phase: row.phase,
    ...retryFields(failure),
  };
  return {
    ...failure.options.partial,
    type: "error",
    kind: row.kind,
    hint: failure.hint,
    ...(row.lookup ? { name: failure.target, found: false } : {}),
    // Details come after, and never replace what every error says.
    error: { ...own, ...failure.options.details, ...own },
  };
}
