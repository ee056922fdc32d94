import { replaceControls, unicodeEscape } from "claw-contract";

/** Characters that end a line or reorder the displayed text. */
const REORDERING = /[\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Escapes characters that move a terminal's cursor or reorder the displayed text; line ends and tabs stay. */
export const printableText = (text: string): string =>
  replaceControls(text, unicodeEscape).replaceAll(REORDERING, unicodeEscape);

/** The same on one line. Other blanks stay. */
export const printableLine = (text: string): string => printableText(text).replaceAll(/[\n\t]+/g, " ");

/** Makes every text in a value printable. */
export function printable<T>(value: T): T {
  if (typeof value === "string") return printableText(value) as T;
  if (Array.isArray(value)) return value.map(printable) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [printableText(name), printable(item)])) as T;
}
