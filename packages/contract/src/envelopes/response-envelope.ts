import type { ClawError } from "../errors/errors.ts";
import { errorRow } from "../errors/errors.ts";
import type { JsonObject } from "../json.ts";
import type { Notes, Outcome } from "./outcome.ts";
import { SCHEMA_VERSION, retryFields } from "./outcome.ts";

/** The invariant envelope: `ok data error warnings meta`, all five always present. */
export function responseEnvelope(outcome: Outcome, exitCode: number): JsonObject {
  const { result, notes } = outcome;
  return {
    ok: exitCode === 0,
    data: result.kind === "data" ? result.data : null,
    error: result.kind === "failure" ? errorDetail(result.failure) : null,
    warnings: notes.warnings,
    meta: meta(outcome),
  };
}

function meta(outcome: Outcome): JsonObject {
  const { result, notes } = outcome;
  const partial = result.kind === "failure" ? result.failure.options.partial : undefined;
  return {
    duration_ms: Math.max(0, Math.round(outcome.durationMs)),
    request_id: outcome.requestId,
    schema_version: SCHEMA_VERSION,
    tool_version: outcome.toolVersion,
    command: outcome.command,
    ...(outcome.action === undefined ? {} : { action: outcome.action }),
    timestamp: outcome.finishedAt.toISOString(),
    ...(outcome.timeoutMs === undefined ? {} : { timeout_ms: outcome.timeoutMs }),
    ...(outcome.traceId === undefined ? {} : { trace_id: outcome.traceId }),
    ...(notes.truncated ? { truncated: true } : {}),
    ...(notes.cursor === undefined ? {} : { cursor: notes.cursor }),
    ...(notes.etag === undefined ? {} : { etag: notes.etag }),
    ...(notes.page === undefined ? {} : { pagination: pagination(notes) }),
    ...(result.kind === "not-modified" ? { not_modified: true } : {}),
    ...(partial === undefined ? {} : { partial }),
  };
}

function pagination({ page, cursor, truncated = false }: Notes): JsonObject {
  return { ...page, truncated, has_more: cursor !== undefined, next_cursor: cursor ?? null };
}

/** Here `retryable` also covers what the caller can put right by itself and send again. */
function correctable(failure: ClawError): boolean {
  const { exit } = errorRow(failure.code);
  return exit === "ARG_ERROR" || exit === "REDIRECTED" || failure.code === "TOKEN_EXPIRED";
}

/** New credentials can be used at once. */
const waitless = (failure: ClawError): JsonObject =>
  failure.code === "TOKEN_EXPIRED" ? { retry_after: 0, retry_after_ms: 0 } : {};

function errorDetail(failure: ClawError): JsonObject {
  const own = {
    code: failure.code,
    message: failure.message,
    retryable: failure.retryable || correctable(failure),
    phase: errorRow(failure.code).phase,
    suggestion: failure.hint,
    operation: failure.operation,
    target: failure.target,
    ...waitless(failure),
    ...retryFields(failure),
  };
  // Details come after, and never replace what every error says.
  return { ...own, ...failure.options.details, ...own };
}
