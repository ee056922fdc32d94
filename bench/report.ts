import { availableParallelism, cpus } from "node:os";
import { plotsOf } from "./plot.ts";
import type { Bar, Row } from "./suite.ts";

const HEADINGS = ["figure", "value", "unit", "bar", ""] as const;

function barText(bar: Bar | undefined): string {
  if (bar === undefined) return "";
  return "atMost" in bar ? `≤ ${bar.atMost}` : `≥ ${bar.atLeast}`;
}

/** Three digits are as many as a repeated run agrees on. */
function valueText(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

function cellsOf({ name, value, unit, bar, met }: Row): string[] {
  return [name, valueText(value), unit, barText(bar), bar === undefined ? "" : met ? "met" : "MISSED"];
}

/** The figures for a terminal, in columns; numbers stand to the right. */
export function textTable(rows: readonly Row[]): string {
  const lines = [[...HEADINGS], ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? "").length)));
  const pad = (cell: string, column: number): string =>
    column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return lines.map((cells) => cells.map(pad).join("  ").trimEnd()).join("\n");
}

function markdownTable(rows: readonly Row[]): string {
  const lines = [[...HEADINGS], ["---", "--:", "---", "---", "---"], ...rows.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** What the figures depend on and the reader cannot know. */
function machineText(): string {
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? "unknown"}`;
  return `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${machine}.`;
}

/** Puts a suite's figures between its markers in a document. Throws when the markers are not there. */
export function recordIn(document: string, suite: string, rows: readonly Row[]): string {
  const begin = `<!-- BEGIN ${suite} -->`;
  const end = `<!-- END ${suite} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`the document needs the lines '${begin}' and '${end}'`);
  const images = plotsOf(rows).map(({ file, title }) => `![${title}](plots/${file})\n\n`);
  const figures = `${images.join("")}${markdownTable(rows)}\n\n${machineText()} Reproduce with \`npm run bench -- ${suite}\`.`;
  return `${document.slice(0, from + begin.length)}\n\n${figures}\n\n${document.slice(to)}`;
}
