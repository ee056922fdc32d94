export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An object that JSON can carry. Values are `unknown` so that typed outputs need no index signature. */
export type JsonObject = Readonly<Record<string, unknown>>;
