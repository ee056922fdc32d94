import type { ClawError } from "../errors/claw-error.ts";
import type { JsonObject } from "../json.ts";

/** When to call again and what to call instead, where the error knows. */
export function retryFields(failure: ClawError): JsonObject {
  const { retryAfterMs, redirect } = failure.options;
  return {
    ...(retryAfterMs === undefined
      ? {}
      : { retry_after: Math.ceil(retryAfterMs / 1000), retry_after_ms: retryAfterMs }),
    ...(redirect === undefined ? {} : { redirect }),
  };
}
