import type { Span, Style } from "../screen.ts";
import { WordWrap } from "./word-wrap.ts";

/** What stands before the text of a row: its indentation, or all of its columns but the last. */
const BEGINNING = /^(?:\s*\S.*\s{2,}(?=\S)|\s+)/;

/** Lines of text, broken between words so that they fit, each with a line end. */
export function plainLines(text: string, styles: readonly Style[], columns: number): Span[] {
  const wrap = new WordWrap(() => columns);
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const start = BEGINNING.exec(line)?.[0] ?? "";
      const margin = start === "" ? [] : [{ text: start, styles, role: "margin" as const }];
      return wrap.push([...margin, { text: line.slice(start.length), styles }, { text: "\n" }]);
    });
}
