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

const TOO_DEEP = "[nested too deeply]";

/**
 * A value that can be written as JSON again: what is nested deeper than the limit is replaced by a note. Parts that need no
 * change, or the whole, come back as the same reference.
 */
export function limitDepth<Value>(value: Value, limit: number): Value {
  return limitValue(value, limit) as Value;
}

function limitValue(value: unknown, limit: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (limit === 0) return TOO_DEEP;
  return Array.isArray(value) ? limitArray(value, limit) : limitMembers(value, limit);
}

function limitArray(values: readonly unknown[], limit: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < values.length; index++) {
    const limited = limitValue(values[index], limit - 1);
    if (limited === values[index]) continue;
    copy ??= [...values];
    copy[index] = limited;
  }
  return copy ?? values;
}

function limitMembers(members: object, limit: number): object {
  if (!isObject(members)) return members;
  let changed: Record<string, unknown> | undefined;
  for (const name in members) {
    const limited = limitValue(members[name], limit - 1);
    if (limited === members[name]) continue;
    changed ??= { ...members };
    changed[name] = limited;
  }
  return changed ?? members;
}
