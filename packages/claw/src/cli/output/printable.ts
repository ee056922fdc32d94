const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Escapes characters that move a terminal's cursor or reorder the displayed text; line ends and tabs stay. */
export const printableText = (text: string): string => text.replaceAll(CONTROLS, escape);

/** The same for every text in a value. */
export function printable<T>(value: T): T {
  if (typeof value === "string") return printableText(value) as T;
  if (Array.isArray(value)) return value.map(printable) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [printableText(name), printable(item)])) as T;
}
