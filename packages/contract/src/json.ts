export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An object that JSON can carry. Values are `unknown` so that typed outputs need no index signature. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NO_MEMBERS: JsonObject = {};
const NO_ITEMS: readonly unknown[] = [];

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object; an empty one for any other value. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : NO_MEMBERS);

/** An array; an empty one for any other value. */
export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NO_ITEMS);

/** A string; an empty one for any other value. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const stringOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** A string with at least one character. */
export const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The strings of an array. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

/** A finite number. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** A finite number. */
export const numberOrNull = (value: unknown): number | null => numberOf(value) ?? null;

/** A whole number that is not negative. */
export const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

/** The value that a JSON text holds; undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object in a JSON text; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** A place inside of a JSON value: `turns[2].blocks[0]`. */
export const memberPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
