import { isObject } from "claw-contract";

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
