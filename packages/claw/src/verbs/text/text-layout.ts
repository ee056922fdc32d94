import { amountText } from "claw-contract";
import type { Paint } from "../runtime/paint.ts";
import { cutToWidth, isPlain, padToWidth, printableLine, shownWidth, widestOf } from "./text-width.ts";
import type { Span, Style } from "../runtime/screen.ts";
import { WordWrap } from "./word-wrap.ts";

/** Two columns: labels aligned, values beside them. */
export function pairs(
  rows: readonly (readonly [label: string, value: string])[],
  paint: Paint,
  colour = paint.dim,
): string {
  const width = widestOf(rows.map(([label]) => label));
  return rows.map(([label, value]) => `${colour(padToWidth(label, width))}  ${value}`).join("\n");
}

const GAP = "  ";
/** The last column keeps this width, however narrow the terminal is. */
const LEAST_COLUMNS = 8;

interface TableRoom {
  /** Width of the terminal. */
  readonly columns: number;
  /** Largest width of the first column. */
  readonly first?: number;
}

/**
 * The cells of a table, headings first, each padded to its column; the last is cut to what a terminal has room for.
 * Cells hold no colours.
 */
export function tableCells(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, first = Infinity }: TableRoom,
): string[][] {
  const lines = [headings, ...rows].map((cells) => cells.map(printableLine));
  const widths = headings.map((_, column) => {
    const widest = widestOf(lines.map((cells) => cells[column] ?? ""));
    return column === 0 ? Math.min(widest, first) : widest;
  });
  const last = widths.length - 1;
  const room = columns - widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const fit = (cell: string, column: number): string =>
    column === last
      ? cutToWidth(cell, Math.max(room, LEAST_COLUMNS))
      : padToWidth(cutToWidth(cell, widths[column] ?? 0), widths[column] ?? 0) + GAP;
  return lines.map((cells) => cells.map(fit));
}

/** Columns aligned under their headings. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string {
  const [head = "", ...lines] = tableCells(headings, rows, paint).map((cells) => cells.join("").trimEnd());
  return [paint.dim(head), ...lines].join("\n");
}

/** Commands a person may want next. Where the terminal is too narrow for two columns, a description has its own line. */
export function nextSteps(steps: readonly { command: string; description: string }[], paint: Paint): string {
  const rows = steps.map(({ command, description }) => [`  ${command}`, description] as const);
  const [left, right] = [widestOf(rows.map(([command]) => command)), widestOf(rows.map(([, text]) => text))];
  const isWide = left + GAP.length + right <= paint.columns;
  const lines = isWide
    ? pairs(rows, paint, paint.cyan)
    : rows.map(([command, text]) => `${paint.cyan(command)}\n      ${text}`).join("\n");
  return `${paint.bold("Try next")}\n${lines}`;
}

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** A sum of money for people: `$1.25`, `$0.0044`; `~$0.02` for what is only estimated. */
export const dollars = (usd: number, isEstimate = false): string => `${isEstimate ? "~" : ""}${amountText(usd, "usd")}`;

const COLOUR = /\u001b\[[\d;]*m/g;
const BLANKS = /(?:\s|\u001b\[[\d;]*m)+/g;

/** The beginning of a line, before its text: the indentation, or all columns except the last. */
function beginningOf(line: string): string {
  let length = 0;
  for (const { index, 0: run } of line.matchAll(BLANKS)) {
    const end = index + run.length;
    const blanks = run.replaceAll(COLOUR, "").length;
    if (blanks > (index === 0 ? 0 : 1) && end < line.length) length = end;
  }
  return line.slice(0, length);
}

/** Breaks plain words with one blank between any two, as `WordWrap` does. Serves the row `claw help`. */
function foldPlainWords(start: string, text: string, columns: number): string {
  const indent = `\n${" ".repeat(start.length)}`;
  const room = columns - start.length;
  let folded = start;
  let rest = text;
  while (rest.length > room) {
    const last = rest.lastIndexOf(" ", room);
    const at = last === -1 ? rest.indexOf(" ") : last;
    if (at === -1) break;
    folded += rest.slice(0, at) + indent;
    rest = rest.slice(at + 1);
  }
  return folded + rest;
}

function foldLine(line: string, columns: number): string {
  if (shownWidth(line) <= columns) return line;
  const start = beginningOf(line);
  if (isPlain(line) && start.length * 2 <= columns && !line.endsWith(" ")) {
    return foldPlainWords(start, line.slice(start.length), columns);
  }
  const wrap = new WordWrap(() => columns);
  const spans = wrap.push([{ text: start, role: "margin" }, { text: line.slice(start.length) }]);
  return [...spans, ...wrap.end()].map(({ text }) => text).join("");
}

/** A text whose lines fit a terminal, broken between words. A word that is longer than a line stays whole. */
export const foldLines = (text: string, columns: number): string =>
  Number.isFinite(columns)
    ? text
        .split("\n")
        .map((line) => foldLine(line, columns))
        .join("\n")
    : text;

/** Lines of text in a style, broken between words so that they fit, with a line end. */
export const plainLines = (text: string, styles: readonly Style[], columns: number): Span[] => [
  { text: `${foldLines(text.trimEnd(), columns)}\n`, styles },
];

const LINE_WIDTH = 80;

/** Words on lines of 80 columns, for a text that begins behind a margin. */
export const wrapText = (text: string, margin: number): string =>
  foldLines(" ".repeat(margin) + text, LINE_WIDTH).slice(margin);
