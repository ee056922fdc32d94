import type { EditedLine } from "./edit-line.ts";
import { charactersOf, characterWidth } from "../../verbs/index.ts";

/** A line as rows of a terminal. */
export interface LineLayout {
  readonly rows: readonly string[];
  /** Among the rows. */
  readonly cursorRow: number;
  readonly cursorColumn: number;
}

/** Breaks a line into rows of so many columns. A row is never quite full, so that the cursor has room behind it. */
export function layoutLine({ text, cursor }: EditedLine, columns: number): LineLayout {
  const width = Math.max(2, columns);
  const rows: string[] = [];
  let row = "";
  let column = 0;
  let at = 0;
  let place = { cursorRow: 0, cursorColumn: 0 };
  const endRow = (): void => {
    rows.push(row);
    row = "";
    column = 0;
  };
  const mark = (): void => {
    if (at === cursor) place = { cursorRow: rows.length, cursorColumn: column };
  };
  for (const character of charactersOf(text)) {
    const shown = character === "\t" ? " " : character;
    const wide = character === "\t" ? 1 : characterWidth(character);
    if (character !== "\n" && column + wide >= width) endRow();
    mark();
    at += character.length;
    if (character === "\n") endRow();
    else {
      row += shown;
      column += wide;
    }
  }
  mark();
  endRow();
  return { rows, ...place };
}

/** As many rows as there is room for, with the cursor among them. */
export function visibleRows(layout: LineLayout, height: number): LineLayout {
  const room = Math.max(1, height);
  const { rows, cursorRow, cursorColumn } = layout;
  if (rows.length <= room) return layout;
  const first = Math.min(Math.max(0, cursorRow - room + 1), rows.length - room);
  return { rows: rows.slice(first, first + room), cursorRow: cursorRow - first, cursorColumn };
}
