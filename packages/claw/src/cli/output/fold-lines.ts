import { stripAnsi } from "@claw/contract";
import { textWidth } from "../../verbs/index.ts";

const printedWidth = (text: string): number => textWidth(stripAnsi(text));

/** Where the text of a line begins: behind its indentation, or behind all of its columns but the last. */
function hangOf(line: string, columns: number): number {
  const plain = stripAnsi(line);
  let hang = 0;
  for (const { index, 0: blanks } of plain.matchAll(/\s+/g)) {
    const end = index + blanks.length;
    if (index === 0 || (blanks.length > 1 && end < plain.length)) hang = end;
  }
  // A margin that leaves little room for text is not repeated.
  return hang * 2 <= columns ? hang : 0;
}

function foldLine(line: string, columns: number): string {
  if (printedWidth(line) <= columns) return line;
  const hang = hangOf(line, columns);
  const rows: string[] = [""];
  let column = 0;
  for (const part of line.match(/\s+|\S+/g) ?? []) {
    const width = printedWidth(part);
    const isBlank = /^\s/.test(part);
    if (!isBlank && column + width > columns && column > hang) {
      rows[rows.length - 1] = (rows.at(-1) ?? "").trimEnd();
      rows.push(" ".repeat(hang));
      column = hang;
    }
    rows[rows.length - 1] = `${rows.at(-1) ?? ""}${part}`;
    column += width;
  }
  return rows.join("\n");
}

/** A text whose lines fit a terminal, broken between words. A word that is longer than a line stays whole. */
export const foldLines = (text: string, columns: number): string =>
  Number.isFinite(columns)
    ? text
        .split("\n")
        .map((line) => foldLine(line, columns))
        .join("\n")
    : text;
