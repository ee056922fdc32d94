/** The first characters of a text, never half of one. */
export function firstChars(text: string, count: number): string {
  const start = text.slice(0, count);
  const isHalf = start.length < text.length && /[\uD800-\uDBFF]$/.test(start);
  return isHalf ? start.slice(0, -1) : start;
}

/** The text, or its first characters and a mark when it is longer than `most`. */
export const cutChars = (text: string, most: number, kept = most): string =>
  text.length <= most ? text : `${firstChars(text, kept)}…`;

/** A text on one line: every run of white space is one blank. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** A text without such characters at its end. Looks at each character once, unlike an expression of the form `x+$`. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Control characters except tab and LF: a terminal, or the program in a terminal, acts on each of them. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Replaces each control character except tab and LF. */
export const replaceControls = (text: string, replace: (control: string) => string): string =>
  text.replaceAll(CONTROLS, replace);

/** A character as JSON escapes it: `\u001b`. */
export const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A word as a POSIX shell must be given it; plain words stay as they are. */
export const shellQuote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
