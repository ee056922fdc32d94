import type { TerminalScreen } from "claw-contract";

/** Long enough to tell a text from earlier text on the screen, short enough for one line of a narrow screen. */
const END_CHARS = 12;
/** A shorter end is looked for only right before the cursor: it may stand anywhere by chance. */
const TELLING_CHARS = 4;
/** Text that agents show in place of a very long paste. */
const PLACEHOLDER = /\[Pasted [^[\]]*\]/gi;

/** Text without blanks and without the frames that programs draw around it. */
export const bare = (text: string): string => text.replaceAll(/[\s\u2500-\u257f|]+/g, "");

/** The end of the typed text, as the screen can show it. Empty when the text has no visible characters. */
export function visibleEnd(text: string): string {
  const last = text.split("\n").findLast((line) => bare(line) !== "") ?? "";
  return Array.from(bare(last)).slice(-END_CHARS).join("");
}

/**
 * Whether a line continues the line before. Without a wrap mark, a line counts as continued when it fills the screen.
 */
function isContinuation({ wrapped, lines, cols }: TerminalScreen, y: number): boolean {
  return wrapped?.[y] ?? (lines[y - 1] ?? "").length >= cols;
}

/** The line that the cursor stands in, from its true beginning, up to the cursor. */
function beforeCursor(screen: TerminalScreen): string {
  const { lines, cursor } = screen;
  let text = (lines[cursor.y] ?? "").slice(0, cursor.x);
  for (let y = cursor.y; y > 0 && isContinuation(screen, y); y -= 1) text = `${lines[y - 1] ?? ""}${text}`;
  return bare(text);
}

function wholeLine(screen: TerminalScreen): string {
  const { lines, cursor } = screen;
  return beforeCursor(screen) + bare((lines[cursor.y] ?? "").slice(cursor.x));
}

/** The nearest line with text above the cursor's line. */
function above({ lines, cursor }: TerminalScreen): string {
  return (
    lines
      .slice(0, cursor.y)
      .map(bare)
      .findLast((line) => line !== "") ?? ""
  );
}

/** Text that has to leave the cursor's line before it counts as taken. */
export interface ComposerText {
  readonly end: string;
  /** The whole line. */
  readonly line: string;
}

/** Whether the cursor's line holds the end of the typed text. */
function showsEnd(screen: TerminalScreen, end: string): boolean {
  const [before, whole] = [beforeCursor(screen), wholeLine(screen)];
  if (before.endsWith(end) || (end.length >= TELLING_CHARS && whole.includes(end))) return true;
  // A program that wraps text itself has only the rest of the text in the cursor's line.
  return whole !== "" && end.endsWith(whole);
}

/** Whether the typed text is still at its old place. */
export function isHeld(screen: TerminalScreen, { end, line }: ComposerText): boolean {
  if (showsEnd(screen, end)) return true;
  // A program that takes Enter for a line end leaves the text unchanged, right above an empty line.
  return wholeLine(screen) === "" && above(screen) === line;
}

const occurrences = (text: string, part: string): number => (part === "" ? 0 : text.split(part).length - 1);

/** Whether a text appeared on the screen since an earlier look: the text or its placeholder. */
export function hasAppeared(before: TerminalScreen, now: TerminalScreen, end: string): boolean {
  const count = ({ lines }: TerminalScreen): number => occurrences(lines.map(bare).join(""), end);
  const placeholders = ({ text }: TerminalScreen): number => text.match(PLACEHOLDER)?.length ?? 0;
  if (placeholders(now) > placeholders(before)) return true;
  if (end.length >= TELLING_CHARS && count(now) > count(before)) return true;
  return beforeCursor(now) !== beforeCursor(before) && beforeCursor(now).endsWith(end);
}

/** Whether the text in the cursor's line has changed. */
export const lineChanged = (before: TerminalScreen, now: TerminalScreen): boolean =>
  wholeLine(before) !== wholeLine(now);

/** The part of a text in the cursor's line; undefined when the line does not show the text. */
export function heldText(screen: TerminalScreen, end: string): ComposerText | undefined {
  const line = wholeLine(screen);
  if (showsEnd(screen, end)) return { end, line };
  const shown = (screen.lines[screen.cursor.y] ?? "").match(PLACEHOLDER)?.at(-1);
  return shown === undefined ? undefined : { end: bare(shown), line };
}
