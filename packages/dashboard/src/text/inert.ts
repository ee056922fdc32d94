/**
 * Characters that change how their neighbours look and show nothing themselves: controls except tab and LF, marks of
 * writing direction, characters of no width, separators that some fonts do not draw, and tags.
 */
const DECEPTIVE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

const escaped = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** A text of an agent, with every deceptive character written out. What a person reads is what stands there. */
export const inert = (text: string): string => text.replaceAll(DECEPTIVE, escaped);

/** The same on one line, cut to `most` characters. */
export function inertLine(text: string, most = 200): string {
  const line = inert(
    text
      .slice(0, most * 2)
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** Characters of no width that turn the direction of text around or hide text. A joiner of emoji is none of them. */
const UNDRAWN = /[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Output for a terminal's screen without undrawn characters. They take no column, so no other character moves. */
export const screenOutput = (output: string): string => output.replaceAll(UNDRAWN, "");
