import type { JsonObject } from "@claw/contract";

/** These functions read JSON from a provider. Each one returns the requested type, or undefined, for any value. */

const EMPTY: JsonObject = {};

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : EMPTY);

export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A whole number that is not negative. */
export const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

/** The object a JSON text holds; an empty one for any other text. */
export function parseObject(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return EMPTY;
    throw error;
  }
}
