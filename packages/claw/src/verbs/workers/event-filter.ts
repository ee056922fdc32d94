import { ClawError } from "claw-contract";

/** Decides whether a payload has what is asked for. */
export type EventFilter = (payload: unknown) => boolean;

function valueAt(payload: unknown, path: readonly string[]): unknown {
  let value = payload;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** `data.result=ok`: the text, number or truth at a path. Several must all hold. */
export function readFilters(texts: readonly string[]): EventFilter {
  const wanted = texts.map((text) => {
    const equals = text.indexOf("=");
    if (equals > 0) return { path: text.slice(0, equals).split("."), value: text.slice(equals + 1) };
    throw new ClawError("INVALID_FLAG_VALUE", `'${text.slice(0, 200)}' is not a filter`, {
      operation: "parse_arguments",
      target: "--filter",
      hint: "Write path=value, as in data.result=ok.",
    });
  });
  return (payload) =>
    wanted.every(({ path, value }) => {
      const found = valueAt(payload, path);
      return found !== undefined && typeof found !== "object" && String(found) === value;
    });
}
