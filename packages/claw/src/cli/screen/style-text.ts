import picocolors from "picocolors";
import type { Span, Style } from "../../verbs/index.ts";
import { printableText } from "../output/printable.ts";
import { charactersOf, characterWidth } from "../../verbs/index.ts";

export type StyleText = (spans: readonly Span[]) => string;

/** Makes text for a terminal. What the text itself would do to one is made visible instead. */
export function createStyleText(isColoured: boolean): StyleText {
  const colours: Readonly<Record<Style, (text: string) => string>> = picocolors.createColors(isColoured);
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
  let left = columns;
  const cut: Span[] = [];
  for (const span of spans) {
    let text = "";
    for (const character of charactersOf(printableText(span.text).replaceAll(/[\n\t]+/g, " "))) {
      left -= characterWidth(character);
      if (left < 1) return [...cut, { ...span, text: `${text}…` }];
      text += character;
    }
    cut.push({ ...span, text });
  }
  return cut;
}
