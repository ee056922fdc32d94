import type { ErrorCode } from "../errors/errors.ts";
import type { Effect } from "./define-verb.ts";

/** Error codes that every verb can answer with. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  "UNKNOWN_OPTION",
  "UNEXPECTED_ARGUMENTS",
  "MISSING_FLAG_VALUE",
  "INVALID_FLAG_VALUE",
  "INVALID_OUTPUT_FORMAT",
  "MISSING_ARGUMENT",
  "INVALID_CWD",
  "FILESYSTEM_ERROR",
  "FILE_ACCESS_DENIED",
  "READ_ONLY_FILESYSTEM",
  "DISK_FULL",
  "TIMEOUT",
  "CANCELLED",
  "INTERNAL_ERROR",
];

/** Error codes that every verb with a change can answer with. */
const MUTATION_ERRORS: readonly ErrorCode[] = [
  "IDEMPOTENCY_KEY_REUSED",
  "IDEMPOTENCY_KEY_BUSY",
  "IDEMPOTENCY_OUTCOME_UNKNOWN",
];

/** Error codes of a call before the verb is known. */
export const DISPATCH_ERRORS: readonly ErrorCode[] = [
  "UNKNOWN_COMMAND",
  "UNKNOWN_SLASH_COMMAND",
  "COMMAND_RENAMED",
  "INTERACTIVE_ONLY",
];

interface VerbNeeds {
  readonly errors: readonly ErrorCode[];
  readonly unixOnly?: boolean;
}

/** Whether a verb works on Linux and macOS only. Every verb that asks the daemon does: its socket is a unix socket. */
export const needsUnix = ({ errors, unixOnly = false }: VerbNeeds): boolean =>
  unixOnly || errors.includes("DAEMON_NOT_RUNNING");

/** Every code a verb can answer with, sorted. */
export function errorsOf(verb: VerbNeeds & { readonly effect: Effect }): ErrorCode[] {
  const mutation = verb.effect === "read" ? [] : MUTATION_ERRORS;
  const platform: readonly ErrorCode[] = needsUnix(verb) ? ["PLATFORM_UNSUPPORTED"] : [];
  return [...new Set([...verb.errors, ...COMMON_ERRORS, ...mutation, ...platform])].toSorted();
}
