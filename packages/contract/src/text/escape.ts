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
