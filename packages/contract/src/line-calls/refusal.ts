import { ClawError } from "../errors/claw-error.ts";
import type { ErrorCode } from "../errors/errors.ts";
import { ERROR_CODES } from "../errors/errors.ts";
import type { LineFields } from "./line-frame.ts";
import { textOf } from "../json.ts";

/** An error as the fields of a refusal. An error that is no ClawError gets the code `other`. */
export function refusalFields(error: unknown, other: ErrorCode): LineFields {
  if (!(error instanceof ClawError)) return { code: other, message: String(error), target: "" };
  const { code, message, target } = error;
  return { code, message, target };
}

/** The error of a refusal. A code that the catalogue does not hold becomes `other`. */
export function errorOfRefusal({ code, message, target }: LineFields, operation: string, other: ErrorCode): ClawError {
  const known = ERROR_CODES.find((each) => each === code) ?? other;
  return new ClawError(known, textOf(message), { operation, target: textOf(target) });
}
