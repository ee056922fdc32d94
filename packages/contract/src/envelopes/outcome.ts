import type { ClawError } from "../errors/errors.ts";
import type { JsonObject } from "../json.ts";

export const ENVELOPES = ["claw", "flat", "response"] as const;

export type Envelope = (typeof ENVELOPES)[number];

/** What is said beside data or error. */
export interface Notes {
  readonly warnings: readonly string[];
  readonly truncated?: boolean;
  readonly cursor?: string;
  readonly etag?: string;
  /** Of a list: how many items there are, and how many of them this answer holds. */
  readonly page?: { readonly total: number; readonly returned: number };
}

export type Result =
  | { readonly kind: "data"; readonly data: JsonObject }
  | { readonly kind: "not-modified" }
  | { readonly kind: "failure"; readonly failure: ClawError };

/** A finished call, before anyone has decided how to show it. */
export interface Outcome {
  readonly command: string;
  /** The second word of a two-word verb. */
  readonly action?: string;
  readonly result: Result;
  readonly notes: Notes;
  readonly finishedAt: Date;
  readonly durationMs: number;
  readonly requestId: string;
  readonly traceId?: string;
  readonly toolVersion: string;
  /** The time limit the call ran under. */
  readonly timeoutMs?: number;
}

export interface Reply {
  readonly body: JsonObject;
  readonly exitCode: number;
}

/** Names the envelopes own at the top level; no verb output may use them. */
export const RESERVED_NAMES = [
  "timestamp",
  "command",
  "action",
  "exit_code",
  "output_format",
  "schema_version",
  "type",
  "error",
  "hint",
  "warnings",
  "ok",
  "data",
  "meta",
] as const;

export const SCHEMA_VERSION = "1.0";

/** Notes as top-level fields, present only when they say something. */
export function setNotes({ notes, result }: Outcome): JsonObject {
  return {
    ...(notes.warnings.length > 0 ? { warnings: notes.warnings } : {}),
    ...(notes.truncated ? { truncated: true } : {}),
    ...(notes.cursor === undefined ? {} : { cursor: notes.cursor }),
    ...(notes.etag === undefined ? {} : { etag: notes.etag }),
    ...(result.kind === "not-modified" ? { not_modified: true } : {}),
  };
}

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
