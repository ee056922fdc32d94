import type { ClawErrorOptions } from "./coded-error.ts";
import { CodedError } from "./coded-error.ts";
import { BUS_ERROR_CODES } from "./wire-error-codes.ts";
import type { WireErrorCode } from "./wire-error-codes.ts";
import { CLIENT_HINTS, RETRYABLE_WIRE_ERRORS } from "./wire-errors.generated.ts";

/** A daemon of an older version sends no hint. */
const HINT_BESIDE = "See this code in docs/generated/errors.md of the package claw-cli.";

const CODES: ReadonlySet<unknown> = new Set([...Object.keys(CLIENT_HINTS), ...BUS_ERROR_CODES]);

/** Whether a value is the code of an error that the bus or a client reports. */
export const isWireErrorCode = (value: unknown): value is WireErrorCode => CODES.has(value);

/** The error of a client of the bus: `ClawError` with the rows of the catalogue that a client needs. */
export class WireError extends CodedError {
  constructor(code: WireErrorCode, message: string, options: ClawErrorOptions) {
    const hint = CLIENT_HINTS[code] ?? HINT_BESIDE;
    super(code, message, options, { retryable: RETRYABLE_WIRE_ERRORS.includes(code), hint });
  }
}
