import type { JsonObject } from "../json.ts";
import type { ErrorRow } from "./error-row.ts";
import type { ErrorCode } from "./errors.ts";

export interface Redirect {
  /** The replacement, to be called verbatim. */
  readonly command: string;
  readonly permanent: boolean;
  readonly reason: "renamed" | "restructured" | "deprecated" | "typo_corrected";
}

export interface ClawErrorOptions {
  /** The call that failed: "open", "resolve_session", "parse_arguments". */
  readonly operation: string;
  /** The thing it failed on: a path, an id, a flag. */
  readonly target: string;
  readonly cause?: unknown;
  readonly retryable?: boolean;
  readonly hint?: string;
  readonly retryAfterMs?: number;
  readonly redirect?: Redirect;
  /** What was achieved all the same, shaped like the verb's output. */
  readonly partial?: JsonObject;
  /** Further facts, shown beside the message under their own names. */
  readonly details?: JsonObject;
}

/** Fields of the catalogue row that an error takes over when its options omit them. */
type Defaults = Pick<ErrorRow, "retryable" | "hint">;

/**
 * An error with a code of the catalogue. Its two classes differ in the part of the catalogue that they carry. The program
 * is bundled into several files, each with a copy of these classes, so instances are recognised by their name and code.
 */
export class CodedError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Object && "code" in value && "name" in value && value.name === "ClawError";
  }

  override readonly name = "ClawError";
  readonly code: ErrorCode;
  readonly operation: string;
  readonly target: string;
  readonly retryable: boolean;
  readonly hint: string;
  readonly options: ClawErrorOptions;

  constructor(code: ErrorCode, message: string, options: ClawErrorOptions, defaults: Defaults) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.operation = options.operation;
    this.target = options.target;
    this.retryable = options.retryable ?? defaults.retryable;
    this.hint = options.hint ?? defaults.hint;
    this.options = options;
  }
}
