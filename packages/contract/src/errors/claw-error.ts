import type { ClawErrorOptions } from "./coded-error.ts";
import { CodedError } from "./coded-error.ts";
import type { ErrorCode } from "./errors.ts";
import { errorRow } from "./errors.ts";

export type { ClawErrorOptions, Redirect } from "./coded-error.ts";

/** The one error that crosses module borders. Its code is a row of the catalogue. */
export class ClawError extends CodedError {
  constructor(code: ErrorCode, message: string, options: ClawErrorOptions) {
    super(code, message, options, errorRow(code));
  }
}
