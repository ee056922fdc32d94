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
