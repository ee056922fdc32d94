import type { Span, Style } from "../../verbs/index.ts";
import { createColours } from "../output/paint.ts";
import { firstColumns, printableLine, printableText, textWidth } from "../../verbs/index.ts";

export type StyleText = (spans: readonly Span[]) => string;

/** Makes text for a terminal. What the text itself would do to one is made visible instead. */
export function createStyleText(isColoured: boolean): StyleText {
  const colours: Readonly<Record<Style, (text: string) => string>> = createColours(isColoured);
  return (spans) =>
    spans
      .map(({ text, styles = [] }) =>
        // A style that goes on over a line end would colour what a terminal fills the line with.
        printableText(text)
          .split("\n")
          .map((line) => (line === "" ? "" : styles.reduce((styled, style) => colours[style](styled), line)))
          .join("\n"),
      )
      .join("");
}

/** As much of a line as fits into so many columns. */
export function cutSpans(spans: readonly Span[], columns: number): Span[] {
  const whole = spans.map((span) => ({ ...span, text: printableLine(span.text) }));
  if (whole.reduce((sum, { text }) => sum + textWidth(text), 0) <= columns) return whole;
  let left = columns - 1;
  const cut: Span[] = [];
  for (const span of whole) {
    const text = firstColumns(span.text, left);
    if (text !== span.text) return [...cut, { ...span, text: `${text}…` }];
    left -= textWidth(text);
    cut.push(span);
  }
  return cut;
}
