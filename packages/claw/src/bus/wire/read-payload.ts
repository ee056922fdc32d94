import { isEnveloped } from "claw-contract/schemas";
import { nonEmptyText, objectOf, parseJson } from "claw-contract";
import type { JsonObject } from "claw-contract";

/** The fields of a payload, whether it came in an envelope or bare; none when it is no object. */
export function fieldsOf(payload: unknown): JsonObject {
  return objectOf(isEnveloped(payload) ? payload["data"] : payload);
}

/** An id that some clients write as a number. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) ? String(value) : nonEmptyText(value);

/** A stored payload. Undefined for none, and for a text that a damaged disk made no JSON: it must not end the process. */
export const parsePayload = (text: string | undefined): unknown => (text === undefined ? undefined : parseJson(text));
