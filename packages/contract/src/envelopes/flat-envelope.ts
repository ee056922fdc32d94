import type { ClawError } from "../errors/errors.ts";
import { errorRow } from "../errors/errors.ts";
import type { JsonObject } from "../json.ts";
import { setNotes, retryFields } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";

/** The bare envelope: the payload alone, or a short error object. */
export function flatEnvelope(outcome: Outcome): JsonObject {
  const { result } = outcome;
  return {
    ...(result.kind === "data" ? result.data : {}),
    ...(result.kind === "failure" ? failureFields(result.failure) : {}),
    ...setNotes(outcome),
  };
}

function failureFields(failure: ClawError): JsonObject {
  const { partial, details } = failure.options;
  return {
    ...partial,
    ...details,
    ...retryFields(failure),
    type: "error",
    error: failure.message,
    kind: errorRow(failure.code).kind,
    hint: failure.hint,
    code: failure.code,
  };
}
