import type { Span, Style } from "../runtime/screen.ts";
import { isPlain, shownWidth } from "./text-width.ts";
import { WordWrap } from "./word-wrap.ts";

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
