import type { JsonObject } from "@claw/contract";

/** Reading foreign JSON: whatever stands in a field, the answer has the type that was asked for. */

const EMPTY: JsonObject = {};
const NOTHING: readonly unknown[] = [];

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : EMPTY);

export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NOTHING);

export const stringOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A finite number, or null. */
export const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

export const integerOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

const DIGITS = /^\s*[+-]?\d+\s*$/;

/** A count as agents write it: fractions are cut off, digits in a string count, anything else is 0. */
export function countOf(value: unknown): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  const number = typeof value === "string" && DIGITS.test(value) ? Number(value) : value;
  if (typeof number !== "number") return 0;
  const whole = Math.trunc(number);
  return Number.isSafeInteger(whole) ? whole + 0 : 0;
}

/** Whether an agent wrote nothing there: absent, null, false, zero, or empty. */
export function isBlank(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
}
