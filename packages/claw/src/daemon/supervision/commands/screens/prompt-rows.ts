import type { TerminalScreen } from "claw-contract";

/**
 * Rows of a screen in which a program lets people write: from the row with the program's mark to the last row,
 * inclusive.
 */
export interface PromptRows {
  readonly first: number;
  readonly last: number;
}

/** Columns in front of the text: the mark in the first row, blanks in the others. */
const MARGIN = 2;

/** The text of a row, without faint text where the terminal knows faint text. */
export const rowOf = ({ lines, solid }: TerminalScreen, y: number): string =>
  ((solid ?? lines)[y] ?? "").replaceAll("\u00a0", " ").trimEnd();

export const isBlankRow = (screen: TerminalScreen, y: number): boolean => rowOf(screen, y) === "";

/** Whether a row begins with a program's mark for its prompt, in the first column. */
const isMarked = ({ lines }: TerminalScreen, y: number, mark: string): boolean =>
  new RegExp(`^${mark}(\\s|$)`).test(lines[y] ?? "");

/** Whether a row can continue the text of the row above: programs leave the mark's columns free. */
export const goesOn = (screen: TerminalScreen, y: number): boolean =>
  isBlankRow(screen, y) || rowOf(screen, y).startsWith(" ".repeat(MARGIN));

/** Whether the cursor stands where text can be, and not in the mark's columns. */
export const isInText = ({ cursor }: TerminalScreen): boolean => cursor.x >= MARGIN;

/** The marked row that the cursor's row belongs to; undefined when the cursor stands elsewhere. */
export function markedRow(screen: TerminalScreen, mark: string): number | undefined {
  if (!isInText(screen)) return undefined;
  for (let row = screen.cursor.y; row >= 0; row -= 1) {
    if (isMarked(screen, row, mark)) return row;
    if (!goesOn(screen, row)) return undefined;
  }
  return undefined;
}

/** The last row with text, faint or not. */
export const lastRow = ({ lines }: TerminalScreen): number => lines.findLastIndex((line) => line.trim() !== "");

/** The text in rows of a prompt, with a line end for each row. */
export const typedPromptText = (screen: TerminalScreen, { first, last }: PromptRows): string =>
  Array.from({ length: last - first + 1 }, (_, at) => rowOf(screen, first + at).slice(MARGIN)).join("\n");

/** Whether the cursor stands where the text of a prompt begins. */
export const isAtStart = ({ cursor }: TerminalScreen, { first }: PromptRows): boolean =>
  cursor.y === first && cursor.x === MARGIN;
