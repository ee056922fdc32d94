import { trimEndOf } from "./plain-text.ts";

/** Takes a terminal's output in pieces and returns the text; the division into pieces does not matter. */
export interface AnsiStripper {
  push(text: string): string;
}

/** A longer sequence is not a sequence; the characters after this length are text again. */
const SEQUENCE_CHARS = 1024 * 1024;

type Inside = "text" | "escape" | "control" | "title" | "string" | "string-escape";

const ESC = "\u001b";
const SPECIAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const STRING_END = /[\u0007\u0018\u001a\u001b\u009c]/g;
/** A title has one line: a title without an end does not remove the text of the next line. */
const TITLE_END = /[\u0007\u000a\u0018\u001a\u001b\u009c]/g;

/** The part that a control character begins in text. */
function beginning(char: string): Inside {
  if (char === ESC) return "escape";
  if (char === "\u009b") return "control";
  if (char === "\u009d") return "title";
  return /[\u0090\u0098\u009e\u009f]/.test(char) ? "string" : "text";
}

/** The part that the character after an ESC begins. */
function afterEscape(char: string): Inside {
  if (char === "[") return "control";
  if (char === "]") return "title";
  if (/[PX^_]/.test(char)) return "string";
  // Intermediate bytes, as in the choice of a character set, are followed by one more byte.
  return /[ -/]/.test(char) ? "escape" : "text";
}

function firstMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** No screen is wider; a longer move is cut. */
const SCREEN_COLUMNS = 1000;
/** Enough characters for the numbers of a cursor move. */
const PARAMETER_CHARS = 16;
/** Moves to another line: up, down, to the line's start, to a place. */
const LINE_MOVES = new Set(["A", "B", "E", "F", "H", "d", "f"]);
/** Moves to a column of the same line. */
const COLUMN_MOVES = new Set(["G", "`"]);

/**
 * The blanks that a cursor move leaves between two texts: programs that draw a screen skip blanks instead of writing
 * blanks. Moves from the start of a line leave nothing, except moves forward.
 */
function gapOf(final: string, parameters: string, isLineStart: boolean): string {
  const isForward = final === "C" || final === "a";
  if (isForward) return " ".repeat(Math.min(Number.parseInt(parameters, 10) || 1, SCREEN_COLUMNS));
  if (isLineStart) return "";
  return LINE_MOVES.has(final) ? "\n" : COLUMN_MOVES.has(final) ? " " : "";
}

const LINE_CHARS = new Set(["\t", "\n", "\r"]);

class Stripper implements AnsiStripper {
  #inside: Inside = "text";
  /** Characters of the current sequence so far. */
  #length = 0;
  #parameters = "";
  #isLineStart = true;

  push(text: string): string {
    let out = "";
    for (let at = 0; at < text.length;) {
      const end = this.#endOf(text, at);
      if (this.#inside === "text") out += this.#said(text.slice(at, end));
      else this.#length += end - at;
      at = end;
      if (at >= text.length) break;
      if (this.#inside !== "text" && this.#length >= SEQUENCE_CHARS) this.#inside = "text";
      else {
        out += this.#inside === "text" ? this.#begin(text.charAt(at)) : this.#said(this.#step(text.charAt(at)));
        at += 1;
      }
    }
    return out;
  }

  /** Records whether the returned text ends at the end of a line. */
  #said(text: string): string {
    if (text !== "") this.#isLineStart = text.endsWith("\n") || text.endsWith("\r");
    return text;
  }

  #begin(char: string): string {
    this.#length = 0;
    this.#parameters = "";
    this.#inside = beginning(char);
    return "";
  }

  /** Takes one character of a sequence. Returns the text the character stands for, if any. */
  #step(char: string): string {
    const inside = this.#inside;
    this.#length += 1;
    if (char === ESC) this.#parameters = "";
    if (char === ESC) this.#inside = inside === "string" || inside === "title" ? "string-escape" : "escape";
    else if (inside === "string-escape") this.#inside = char === "\\" ? "text" : afterEscape(char);
    else if (inside === "string") this.#inside = "text";
    else if (inside === "title") {
      this.#inside = "text";
      return char === "\n" ? char : "";
    } else if (LINE_CHARS.has(char)) return char;
    else if (inside === "escape") this.#inside = afterEscape(char);
    else return this.#stepControl(char);
    return "";
  }

  #stepControl(char: string): string {
    const isEnd = char === "\u0018" || char === "\u001a" || /[@-~]/.test(char) || char > "\u007f";
    if (!isEnd) {
      if (this.#parameters.length < PARAMETER_CHARS) this.#parameters += char;
      return "";
    }
    this.#inside = "text";
    return gapOf(char, this.#parameters, this.#isLineStart);
  }

  /** Latest end of the current part. */
  #endOf(text: string, from: number): number {
    if (this.#inside === "text") return firstMatch(SPECIAL, text, from);
    if (this.#inside !== "string" && this.#inside !== "title") return from;
    const end = firstMatch(this.#inside === "title" ? TITLE_END : STRING_END, text, from);
    return Math.min(end, from + SEQUENCE_CHARS - this.#length);
  }
}

/**
 * Removes the parts that only a screen understands: OSC, DCS, SOS, PM, APC and CSI sequences, other escapes, and
 * control characters except tab, LF and CR. Blanks or a line end replace a cursor move.
 */
export const createAnsiStripper = (): AnsiStripper => new Stripper();

/** The text of a whole output. */
export const stripAnsi = (text: string): string => createAnsiStripper().push(text);

/** Start of the colour sequences that end at a position. */
function coloursBefore(text: string, end: number): number {
  for (let start = end; ;) {
    if (text[start - 1] !== "m") return start;
    let at = start - 2;
    while (/[\d;]/.test(text.charAt(at))) at -= 1;
    if (at < 1 || text[at] !== "[" || text[at - 1] !== ESC) return start;
    start = at - 1;
  }
}

const FILLER_END = "\r \r";

/** Removes the mark that zsh shows after an output without a line end: a character, coloured or not, and blanks. */
function withoutFiller(output: string): string {
  const blanksEnd = output.length - FILLER_END.length;
  const blanks = trimEndOf(output.slice(0, Math.max(0, blanksEnd)), " ").length;
  const mark = coloursBefore(output, blanks) - 1;
  const isFiller = output.endsWith(FILLER_END) && blanks < blanksEnd && /[%#]/.test(output.charAt(mark));
  return isFiller ? output.slice(0, coloursBefore(output, mark)) : output;
}

/** The text that a command in a shell printed. */
export const commandText = (output: string): string => stripAnsi(withoutFiller(output)).replaceAll("\r\n", "\n");
