import { replaceControls, stripAnsi, unicodeEscape } from "claw-contract";

/** Made at its first use, which takes long: most calls show no wide character. Serves the rows of `cold-start`. */
const isWide = (character: string): boolean =>
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]|\p{Emoji}\uFE0F)/u.test(
    character,
  );
const NARROW = /^[\u0020-\u007E]*$/;
/** Whether every code unit of a text takes one column. */
export const isPlain = (text: string): boolean => NARROW.test(text);

/** Text in which every code unit is a whole character. */
const SIMPLE = /^[\t\n\u0020-\u007E]*$/;
const hasNoWidth = (character: string): boolean => /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u.test(character);

/** Units of a text that are looked at together. A longer character, with dozens of accents, is cut. */
const WINDOW = 64;

/** `Intl.Segmenter` takes time in proportion to the square of a text's length, so it gets a short window at a time. */
function segmented(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const characters: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + WINDOW - (/[\ud800-\udbff]/.test(text.charAt(at + WINDOW - 1)) ? 1 : 0);
    const found = Array.from(segmenter.segment(text.slice(at, end)), ({ segment }) => segment);
    // The last character may go on behind the window: the next window reads it again, with the text that follows.
    if (found.length > 1 && end < text.length) found.pop();
    for (const character of found) at += character.length;
    characters.push(...found);
  }
  return characters;
}

/** Splits a text into the characters that a reader sees. */
export const charactersOf = (text: string): string[] => (SIMPLE.test(text) ? text.split("") : segmented(text));

/** How many columns of a terminal one character takes. */
export function characterWidth(character: string): number {
  if (hasNoWidth(character)) return 0;
  return isWide(character) ? 2 : 1;
}

/** How many columns of a terminal a text takes. */
export const textWidth = (text: string): number =>
  NARROW.test(text) ? text.length : charactersOf(text).reduce((sum, character) => sum + characterWidth(character), 0);

/** The same without colours and other sequences of a terminal. Most texts have none: serves the row `claw help`. */
export const shownWidth = (text: string): number => (NARROW.test(text) ? text.length : textWidth(stripAnsi(text)));

/** The characters at the beginning of a text that fit into the given number of columns. */
export function firstColumns(text: string, columns: number): string {
  let shown = "";
  let left = columns;
  for (const character of charactersOf(text)) {
    left -= characterWidth(character);
    if (left < 0) break;
    shown += character;
  }
  return shown;
}

/** The text, or its beginning and a mark when it is wider than the given number of columns. */
export const cutToWidth = (text: string, columns: number): string =>
  textWidth(text) <= columns ? text : `${firstColumns(text, columns - 1)}…`;

/** The text with blanks behind it up to the given number of columns. */
export const padToWidth = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - textWidth(text)));

export const widestOf = (texts: readonly string[]): number =>
  texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);

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
