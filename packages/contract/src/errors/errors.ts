import type { ErrorRow } from "./error-row.ts";
import type { ClawErrorOptions } from "./coded-error.ts";
import { CodedError } from "./coded-error.ts";
import { ERRORS } from "./error-table.ts";

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

export const errorRow = (code: ErrorCode): ErrorRow => ERRORS[code];

/** The one error that crosses module borders. Its code is a row of the catalogue. */
export class ClawError extends CodedError {
  constructor(code: ErrorCode, message: string, options: ClawErrorOptions) {
    super(code, message, options, errorRow(code));
  }
}
