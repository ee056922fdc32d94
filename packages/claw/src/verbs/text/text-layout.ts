import { amountText } from "claw-contract";
import type { Paint } from "../runtime/paint.ts";
import { printableLine } from "./printable.ts";
import { cutToWidth, padToWidth, widestOf } from "./text-width.ts";

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

/** Commands a person may want next. */
export function nextSteps(steps: readonly { command: string; description: string }[], paint: Paint): string {
  const rows = steps.map(({ command, description }) => [`  ${command}`, description] as const);
  return `${paint.bold("Try next")}\n${pairs(rows, paint, paint.cyan)}`;
}

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** A sum of money for people: `$1.25`, `$0.0044`; `~$0.02` for what is only estimated. */
export const dollars = (usd: number, isEstimate = false): string => `${isEstimate ? "~" : ""}${amountText(usd, "usd")}`;
