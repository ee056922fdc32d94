import type { JsonObject } from "../json.ts";
import { parseObject, textOf } from "../json.ts";
import { ClawError, ERROR_CODES } from "../errors/errors.ts";
import type { ErrorCode } from "../errors/errors.ts";

/** The fields of one line of JSON. */
export type LineFields = JsonObject;

/** A request: `{"id":1,"cmd":"ping",…}`. */
export interface LineRequest {
  readonly id: number;
  readonly cmd: string;
  readonly [field: string]: unknown;
}

/** A reply: `{"rid":1,"ok":true,…}`. `rid` is the request's `id`. */
export interface LineReply {
  readonly rid: number;
  readonly ok: boolean;
  readonly [field: string]: unknown;
}

/** The request that gives up another request of the same caller. It has no reply. */
export const CANCEL = "cancel";

/** Reads a line. Undefined when the line is not a JSON object. Never throws. */
export const readFrameLine = (line: string): LineFields | undefined => parseObject(line);

export const isLineRequest = (frame: LineFields): frame is LineRequest =>
  typeof frame["id"] === "number" && typeof frame["cmd"] === "string";

export const isLineReply = (frame: LineFields): frame is LineReply =>
  typeof frame["rid"] === "number" && typeof frame["ok"] === "boolean";

/** JSON members of an object without its braces; undefined values are left out. */
export const members = (object: LineFields): string => JSON.stringify(object).slice(1, -1);

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
