import type { ErrorCode } from "claw-contract";
import { ClawError, countOf, cutChars, isObject, objectOf, oneLine, stringOf } from "claw-contract";
import { saysContextOverflow } from "./context-overflow.ts";
import { modelHint } from "./unknown-model.ts";

/** Pause that a provider asks for, in milliseconds, from `retry-after-ms` or from `retry-after` in either form. */
export function readRetryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  const exact = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact)) return Math.max(0, Math.ceil(exact));
  const given = headers?.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(given)) return Math.ceil(Number(given) * 1000);
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Characters of a provider's error in a failure. */
const MODEL_ERROR_CHARS = 1000;

/** Provider and model of a request. */
export interface AskedProvider {
  readonly provider: string;
  readonly model: string;
  /** Masks the credentials of the request in the provider's text. */
  readonly redact: (text: string) => string;
}

/** Facts about a failure, read from the provider's error. */
interface Facts {
  readonly status: number | null;
  /** Type and code of the error, where the provider gives them. */
  readonly names: readonly string[];
  readonly text: string;
}

const CREDIT = new Set([
  "billing_error",
  "billing_hard_limit_reached",
  "enforced_spend_limit_reached",
  "insufficient_credits",
  "insufficient_quota",
]);
const EXPIRED = new Set(["token_expired", "expired_token", "expired_api_key"]);
const OVERFLOW = new Set(["context_length_exceeded", "exceed_context_size_error"]);
const NO_MODEL = new Set(["not_found_error", "model_not_found"]);
const TOO_LARGE = new Set(["request_too_large", "request_body_too_large_after_decoding"]);

/** HTTP status for each error type, for an error that comes after the headers of the answer. */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  api_error: 500,
  authentication_error: 401,
  billing_error: 402,
  insufficient_quota: 429,
  invalid_request_error: 400,
  not_found_error: 404,
  overloaded_error: 529,
  permission_error: 403,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  request_too_large: 413,
  server_error: 500,
  timeout_error: 504,
};

function codeOf({ status, names, text }: Facts): ErrorCode {
  const named = (set: ReadonlySet<string>): boolean => names.some((name) => set.has(name));
  if (status === 402 || named(CREDIT)) return "PAYMENT_REQUIRED";
  if (status === 401 || status === 403) return named(EXPIRED) ? "TOKEN_EXPIRED" : "TOKEN_INVALID";
  if (named(OVERFLOW) || (status === 400 && saysContextOverflow(text))) return "CONTEXT_WINDOW_EXCEEDED";
  if (status === 413 || named(TOO_LARGE)) return "REQUEST_TOO_LARGE";
  if (status === 429) return "RATE_LIMIT_EXCEEDED";
  if (status === null) return "RETRIES_EXHAUSTED";
  return status === 408 || status === 409 || status >= 500 ? "UPSTREAM_UNAVAILABLE" : "UPSTREAM_REJECTED";
}

/** A provider's text on one line, cut after `MODEL_ERROR_CHARS` characters. */
const short = (text: string): string => cutChars(oneLine(text), MODEL_ERROR_CHARS);

/** The error for an answer that began and broke off. */
export const brokenStream = ({ provider, model, redact }: AskedProvider, why: string, cause?: unknown): ClawError =>
  new ClawError("RETRIES_EXHAUSTED", `the answer of ${provider} broke off: ${short(redact(why))}`, {
    operation: "ask_model",
    target: model,
    cause,
    details: { provider, status: null },
  });

const unreachable = ({ provider, model, redact }: AskedProvider, error: Error): ClawError => {
  const reason = error.cause instanceof Error ? error.cause : error;
  const code = stringOf((reason as NodeJS.ErrnoException).code ?? objectOf(reason.cause)["code"]);
  const why = code ?? short(redact(reason.message));
  return new ClawError("UPSTREAM_UNREACHABLE", `${provider} cannot be reached: ${why}`, {
    operation: "ask_model",
    target: model,
    cause: error,
    details: { provider, status: null },
  });
};

/** Facts of an error. The body is the error object, or holds it in the field `error`. */
function factsOf(error: { readonly status?: unknown; readonly error?: unknown; readonly message?: unknown }): Facts {
  const body = objectOf(error.error);
  const inner = isObject(body["error"]) ? body["error"] : body;
  const names = [inner["type"], inner["code"], objectOf(inner["details"])["error_code"]].flatMap(
    (name) => stringOf(name) ?? [],
  );
  const known = names.map((name) => STATUS_OF_TYPE[name]).find((status) => status !== undefined);
  const status = countOf(error.status) ?? countOf(inner["code"]) ?? known ?? null;
  return { status, names, text: stringOf(inner["message"]) ?? stringOf(error.message) ?? "" };
}

function refusedError(asked: AskedProvider, error: Error, headers: Headers | undefined): ClawError {
  const facts = factsOf(error);
  const { provider, model, redact } = asked;
  if (facts.status === null && codeOf(facts) === "RETRIES_EXHAUSTED") return brokenStream(asked, facts.text, error);
  const retryAfterMs = readRetryAfter(headers, Date.now());
  const requestId = headers?.get("request-id") ?? headers?.get("x-request-id");
  const status = facts.status === null ? "" : ` (${facts.status})`;
  // Every request goes to the same path. So the thing that a provider did not find is the model.
  const isUnknown = facts.status === 404 && facts.names.some((name) => NO_MODEL.has(name));
  const what = isUnknown ? `${provider} knows no model '${model}'` : `${provider} refused`;
  return new ClawError(codeOf(facts), `${what}${status}: ${short(redact(facts.text))}`, {
    operation: "ask_model",
    target: model,
    cause: error,
    ...(isUnknown ? { hint: modelHint(model) } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    details: { provider, status: facts.status, ...(requestId ? { request_id: short(redact(requestId)) } : {}) },
  });
}

/**
 * The ClawError of the catalogue for an error of an SDK. Both SDKs throw an error with headers when the provider
 * answered, and an error with undefined headers when the provider could not be reached. Any other error means that a
 * stream could not be read.
 */
export function modelFailure(asked: AskedProvider, error: unknown): ClawError {
  if (error instanceof ClawError) return error;
  if (!(error instanceof Error)) return brokenStream(asked, String(error), error);
  if (!("headers" in error && "status" in error)) return brokenStream(asked, error.message, error);
  const headers = error.headers as Headers | undefined;
  return headers === undefined ? unreachable(asked, error) : refusedError(asked, error, headers);
}
