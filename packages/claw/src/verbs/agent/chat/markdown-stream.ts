import type { Style } from "../../runtime/screen.ts";
import type { Piece } from "../../text/word-wrap.ts";
import { renderInline } from "./markdown-inline.ts";

interface Block {
  readonly margin: Piece | null;
  readonly styles: readonly Style[];
  /** Where in its line the text begins. */
  readonly start: number;
}

interface Fence {
  readonly mark: string;
  readonly length: number;
}

const RULE_WIDTH = 24;
const CODE_MARGIN = "  ";
const CODE_STYLES: readonly Style[] = ["cyan"];

/** Beginnings of a line that do not yet decide the kind of the line. */
const UNDECIDED = /^[ \t]*(?:#{1,6}[ \t]*|`+|~+|[-*_+][-*_+ \t]*|\d{1,9}(?:[.)][ \t]*)?|>[> \t]*)?$/;
const FENCE_LINE = /^[ \t]*(?:`{3,}|~{3,})/;
const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
const RULE = /^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const HEADING = /^[ \t]{0,3}(#{1,6})[ \t]+/;
const BULLET = /^([ \t]*)[-*+][ \t]+/;
const NUMBER = /^([ \t]*)(\d{1,9}[.)])[ \t]+/;
const QUOTE = /^[ \t]*(>[> \t]*)/;

const margin = (text: string): Piece => ({ text, styles: ["dim"], role: "margin" });

/** The kind of a line: heading, bullet, numbered item, quote or plain text. */
function markdownBlock(line: string): Block {
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const styles: Style[] = (heading[1]?.length ?? 0) <= 2 ? ["bold", "cyan"] : ["bold"];
    return { margin: null, styles, start: heading[0].length };
  }
  const bullet = BULLET.exec(line);
  if (bullet !== null) return { margin: margin(`${bullet[1] ?? ""}• `), styles: [], start: bullet[0].length };
  const number = NUMBER.exec(line);
  if (number !== null) {
    return { margin: margin(`${number[1] ?? ""}${number[2] ?? ""} `), styles: [], start: number[0].length };
  }
  const quote = QUOTE.exec(line);
  if (quote !== null) {
    const depth = (quote[1] ?? "").replaceAll(/[^>]/g, "").length;
    return { margin: margin("│ ".repeat(depth)), styles: ["dim"], start: quote[0].length };
  }
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  return { margin: indent === "" ? null : margin(indent), styles: [], start: indent.length };
}

/**
 * Styles Markdown while the text arrives. Text is held back only while its meaning is not decided, at most to the end
 * of its line. The result does not depend on the pieces in which the text arrives.
 */
export class MarkdownStream {
  /** The first half of a character whose second half has not come. */
  #half = "";
  #line = "";
  /** How much of the line is rendered. */
  #done = 0;
  #block: Block | null = null;
  #fence: Fence | null = null;

  push(text: string): Piece[] {
    const all = this.#half + text;
    this.#half = /[\uD800-\uDBFF]$/.exec(all)?.[0] ?? "";
    const whole = all.slice(0, all.length - this.#half.length);
    const [first = "", ...others] = whole.replaceAll("\r", "").split("\n");
    this.#line += first;
    const pieces = this.#advance(false);
    for (const part of others) {
      pieces.push(...this.#endLine());
      this.#line = part;
      pieces.push(...this.#advance(false));
    }
    return pieces;
  }

  /** Returns the text that is still held back. The next text begins a new line outside of any code block. */
  end(): Piece[] {
    this.#line += this.#half;
    this.#half = "";
    const pieces = this.#line === "" || this.#isFenceLine() ? [] : this.#advance(true);
    this.#fence = null;
    this.#reset();
    return pieces;
  }

  #reset(): void {
    this.#line = "";
    this.#done = 0;
    this.#block = null;
  }

  #isFenceLine(): boolean {
    const mark = FENCE.exec(this.#line)?.[1];
    if (this.#fence === null) return mark !== undefined;
    return mark !== undefined && this.#closes(mark);
  }

  #closes(mark: string): boolean {
    const fence = this.#fence;
    return fence !== null && mark.startsWith(fence.mark) && mark.length >= fence.length && this.#line.trim() === mark;
  }

  #endLine(): Piece[] {
    const pieces = this.#isFenceLine() ? this.#turnFence() : [...this.#advance(true), { text: "\n" }];
    this.#reset();
    return pieces;
  }

  #turnFence(): Piece[] {
    const mark = FENCE.exec(this.#line)?.[1] ?? "";
    this.#fence = this.#fence === null ? { mark: mark.charAt(0), length: mark.length } : null;
    return [];
  }

  /** Renders the part of the line whose meaning is decided. */
  #advance(isWhole: boolean): Piece[] {
    if (this.#fence !== null) return this.#advanceCode(this.#fence, isWhole);
    const pieces: Piece[] = [];
    if (this.#block === null) {
      if (!isWhole && (UNDECIDED.test(this.#line) || FENCE_LINE.test(this.#line))) return [];
      if (isWhole && RULE.test(this.#line)) return [{ text: "─".repeat(RULE_WIDTH), styles: ["dim"] }];
      this.#block = markdownBlock(this.#line);
      this.#done = this.#block.start;
      if (this.#block.margin !== null) pieces.push(this.#block.margin);
    }
    const { spans, end } = renderInline(this.#line, this.#done, this.#block.styles, isWhole);
    this.#done = end;
    return [...pieces, ...spans];
  }

  #advanceCode({ mark }: Fence, isWhole: boolean): Piece[] {
    const rest = this.#line.slice(this.#done);
    const mayClose = this.#done === 0 && this.#line.replaceAll(mark, "").trim() === "";
    if (rest === "" || (mayClose && !isWhole)) return [];
    const start = this.#done === 0 ? CODE_MARGIN : "";
    this.#done = this.#line.length;
    return [{ text: start + rest, styles: CODE_STYLES, role: "code" }];
  }
}
