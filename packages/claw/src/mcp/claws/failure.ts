import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import type { Redactor } from "claw-contract";
import { ClawError, cutChars, errorRow } from "claw-contract";
import type { McpToolResult } from "../layer/tool.ts";

/** Anything thrown, as an error of the catalogue. What is not one already is a bug of ours. */
const asCatalogueError = (error: unknown): ClawError =>
  error instanceof ClawError
    ? error
    : new ClawError("INTERNAL_ERROR", error instanceof Error ? error.message : String(error), {
        operation: "call_tool",
        target: "tool",
        cause: error,
      });

/** Characters of what an error says: messages repeat what the caller sent. */
const MESSAGE_CHARS = 2000;
const TARGET_CHARS = 200;

function errorFields(error: ClawError): JsonObject {
  const { retryAfterMs, partial, details } = error.options;
  return {
    code: error.code,
    kind: errorRow(error.code).class,
    message: cutChars(error.message, MESSAGE_CHARS),
    hint: cutChars(error.hint, MESSAGE_CHARS),
    retryable: error.retryable,
    operation: error.operation,
    target: cutChars(error.target, TARGET_CHARS),
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
export function toolFailure(thrown: unknown, redactor: Redactor): McpToolResult {
  const data = redactor.redactValue({ error: errorFields(asCatalogueError(thrown)) });
  return { kind: "result", isError: true, data, text: JSON.stringify(data) };
}
