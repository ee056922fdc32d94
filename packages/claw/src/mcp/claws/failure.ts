import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import type { Redactor } from "claw-contract";
import { ClawError, errorRow } from "claw-contract";
import type { ToolResult } from "../layer/tool.ts";

/** Anything thrown, as an error of the catalogue. What is not one already is a bug of ours. */
const asCatalogueError = (error: unknown): ClawError =>
  error instanceof ClawError
    ? error
    : new ClawError("INTERNAL_ERROR", error instanceof Error ? error.message : String(error), {
        operation: "call_tool",
        target: "tool",
        cause: error,
      });

function errorFields(error: ClawError): JsonObject {
  const { retryAfterMs, partial, details } = error.options;
  return {
    code: error.code,
    kind: errorRow(error.code).class,
    message: error.message,
    hint: error.hint,
    retryable: error.retryable,
    operation: error.operation,
    target: error.target,
    ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
    ...(partial === undefined ? {} : { partial }),
    ...(details === undefined ? {} : { details }),
  };
}

/** The same as a protocol error, for requests whose answer has no room for an error. */
export function protocolFailure(thrown: unknown, redactor: Redactor): Error {
  if (thrown instanceof ProtocolError) return thrown;
  const fields = redactor.redactValue(errorFields(asCatalogueError(thrown)));
  return new ProtocolError(ProtocolErrorCode.InternalError, String(fields["message"]), fields);
}

/** The result for a call that failed: the catalogue's code, whether a repetition can help, and what to do next. */
export function toolFailure(thrown: unknown, redactor: Redactor): ToolResult {
  const data = redactor.redactValue({ error: errorFields(asCatalogueError(thrown)) });
  return { kind: "result", isError: true, data, text: JSON.stringify(data) };
}
