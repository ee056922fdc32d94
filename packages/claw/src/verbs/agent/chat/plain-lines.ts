import type { Span, Style } from "../../runtime/screen.ts";
import { WordWrap } from "./word-wrap.ts";

/** The beginning of a row, before its text: the indentation, or all columns except the last. */
function beginningOf(line: string): string {
  let length = 0;
  for (const { index, 0: blanks } of line.matchAll(/\s+/g)) {
    const end = index + blanks.length;
    if (index === 0 || (blanks.length > 1 && end < line.length)) length = end;
  }
  return line.slice(0, length);
}

/** Lines of text, broken between words so that they fit, each with a line end. */
export function plainLines(text: string, styles: readonly Style[], columns: number): Span[] {
  const wrap = new WordWrap(() => columns);
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const start = beginningOf(line);
      const margin = start === "" ? [] : [{ text: start, styles, role: "margin" as const }];
      return wrap.push([...margin, { text: line.slice(start.length), styles }, { text: "\n" }]);
    });
}
