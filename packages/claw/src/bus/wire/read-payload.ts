import { isEnveloped } from "@claw/contract/schemas";

export type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Fields = {};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of a payload, whether it came in an envelope or bare; none when it is no object. */
export function fieldsOf(payload: unknown): Fields {
  const data = isEnveloped(payload) ? payload["data"] : payload;
  return isObject(data) ? data : NOTHING;
}

/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** An id that some clients write as a number. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) ? String(value) : textOf(value);

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** A stored payload. Undefined for none, and for a text that a damaged disk made no JSON: it must not end the process. */
export function parsePayload(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
