import type { Span } from "../runtime/screen.ts";
import { shownWidth } from "./text-width.ts";

/**
 * Styled text. A margin begins a line; wrapped text stands behind the margin. Code is never wrapped, however long its
 * lines.
 */
export interface Piece extends Span {
  readonly role?: "margin" | "code";
}

const spansWidth = (spans: readonly Span[]): number => shownWidth(spans.map(({ text }) => text).join(""));

/**
 * Breaks lines between words so that they fit, and indents wrapped text to the beginning of the text, not of the line.
 * The last word is held back until it is whole. The result does not depend on the pieces in which a text arrives.
 */
export class WordWrap {
  readonly #columns: () => number;
  #column = 0;
  #hang = 0;
  #gap: Span[] = [];
  #word: Span[] = [];

  constructor(columns: () => number) {
    this.#columns = columns;
  }

  push(pieces: readonly Piece[]): Span[] {
    return pieces.flatMap((piece) => {
      if (piece.role === "margin") return this.#margin(piece);
      if (piece.role === "code") return [...this.end(), piece];
      return this.#text(piece);
    });
  }

  /** Returns the text that is still held back. */
  end(): Span[] {
    if (this.#word.length === 0) return [];
    const width = spansWidth(this.#word);
    const gap = spansWidth(this.#gap);
    const isTooLong = this.#column + gap + width > this.#columns() && this.#column > this.#hang;
    const before = isTooLong ? [{ text: `\n${" ".repeat(this.#hang)}` }] : this.#gap;
    const spans = [...before, ...this.#word];
    this.#column = (isTooLong ? this.#hang : this.#column + gap) + width;
    this.#gap = [];
    this.#word = [];
    return spans;
  }

  #margin(piece: Span): Span[] {
    this.#column = shownWidth(piece.text);
    // A margin that leaves little room for text is not repeated.
    this.#hang = this.#column * 2 <= this.#columns() ? this.#column : 0;
    return [piece];
  }

  #text({ text, styles = [] }: Span): Span[] {
    return (text.match(/\n|[^\S\n]+|\S+/g) ?? []).flatMap((part): Span[] => {
      if (part === "\n") return this.#newLine();
      if (/^\S/.test(part)) {
        this.#word.push({ text: part, styles });
        return [];
      }
      const spans = this.end();
      this.#gap.push({ text: part, styles });
      return spans;
    });
  }

  #newLine(): Span[] {
    const spans = this.end();
    this.#gap = [];
    this.#column = 0;
    this.#hang = 0;
    return [...spans, { text: "\n" }];
  }
}
