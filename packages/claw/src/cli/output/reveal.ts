import type { Redactor, Result } from "claw-contract";
import { isObject } from "claw-contract";

/** The secrets in an answer that its caller asked for: values of members the verb declares as shown once. */
export function shownSecrets(result: Result, names: readonly string[] = []): string[] {
  if (result.kind !== "data") return [];
  return names.flatMap((name) => {
    const values = [result.data[name]].flat();
    return values.filter((value): value is string => typeof value === "string" && value !== "");
  });
}

/** A redactor that lets the given values through and masks all other secrets. */
export function revealing(redactor: Redactor, values: readonly string[]): Redactor {
  const [value] = values;
  if (value === undefined) return redactor;
  const restore = (masked: unknown, original: unknown): unknown => {
    if (typeof original === "string") return values.includes(original) ? original : masked;
    if (Array.isArray(original)) return (masked as unknown[]).map((item, index) => restore(item, original[index]));
    if (!isObject(original) || !isObject(masked)) return masked;
    return Object.fromEntries(Object.entries(masked).map(([name, item]) => [name, restore(item, original[name])]));
  };
  const others = revealing(redactor, values.slice(1));
  return {
    ...redactor,
    redactText: (text) => text.split(value).map(others.redactText).join(value),
    redactValue: <T>(given: T): T => restore(redactor.redactValue(given), given) as T,
  };
}
