export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An object that JSON can carry. Values are `unknown` so that typed outputs need no index signature. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The members of an object; none for anything else. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
