import type { Paint } from "../runtime/paint.ts";

/** Two columns: labels aligned, values beside them. */
export function pairs(rows: readonly (readonly [label: string, value: string])[], paint: Paint): string {
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${paint.dim(label.padEnd(width))}  ${value}`).join("\n");
}

const LEAST_COLUMNS = 8;

/** As much of a text as there is room for. */
export const cut = (text: string, columns: number): string =>
  text.length <= Math.max(columns, LEAST_COLUMNS) ? text : `${text.slice(0, Math.max(columns, LEAST_COLUMNS) - 1)}…`;

/** Columns aligned under their headings, the last cut to what a terminal has room for. Cells hold no colours. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === widths.length - 1 ? cut(cell, paint.columns - before) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return [paint.dim(line(headings)), ...rows.map(line)].join("\n");
}

/** Commands a person may want next. */
export function nextSteps(steps: readonly { command: string; description: string }[], paint: Paint): string {
  const width = Math.max(0, ...steps.map((step) => step.command.length));
  const lines = steps.map((step) => `  ${paint.cyan(step.command.padEnd(width))}  ${step.description}`);
  return [paint.bold("Try next"), ...lines].join("\n");
}

const UNITS = [
  { seconds: 86_400, name: "d" },
  { seconds: 3600, name: "h" },
  { seconds: 60, name: "min" },
] as const;

/** A moment as people say it: "just now", "5 min ago", "3 d ago". */
export function ago(iso: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1000);
  const unit = UNITS.find((candidate) => seconds >= candidate.seconds);
  return unit === undefined ? "just now" : `${Math.floor(seconds / unit.seconds)} ${unit.name} ago`;
}

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
