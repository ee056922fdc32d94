import { isObject } from "claw-contract";

export const integerOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

const INTEGER_TEXT = /^\s*[+-]?\d+\s*$/;

/** A count as agents write it: fractions are cut off, digits in a string count, anything else is 0. */
export function looseCountOf(value: unknown): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  const number = typeof value === "string" && INTEGER_TEXT.test(value) ? Number(value) : value;
  if (typeof number !== "number") return 0;
  const whole = Math.trunc(number);
  return Number.isSafeInteger(whole) ? whole + 0 : 0;
}

/** Whether an agent wrote nothing there: absent, null, false, zero, or empty. */
export function isBlank(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
}
