const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]|\p{Emoji}\uFE0F)/u;
const NARROW = /^[\u0020-\u007E]*$/;
/** Each unit of such a text is a character of its own. */
const SIMPLE = /^[\t\n\u0020-\u007E]*$/;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;

/** What a reader sees as one character each. */
export const charactersOf = (text: string): string[] =>
  SIMPLE.test(text)
    ? text.split("")
    : Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text), ({ segment }) => segment);

/** How many columns of a terminal one character takes. */
export function characterWidth(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** How many columns of a terminal a text takes. */
export const textWidth = (text: string): number =>
  NARROW.test(text) ? text.length : charactersOf(text).reduce((sum, character) => sum + characterWidth(character), 0);
