import { charactersOf } from "../../verbs/index.ts";

/** A line that is being typed, and where in it. */
export interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

export const EMPTY_LINE: EditedLine = { text: "", cursor: 0 };

/** A character is made of fewer units than this. */
const LONGEST_CHARACTER = 64;

const lineWith = (text: string): EditedLine => ({ text, cursor: text.length });

const moved = ({ text }: EditedLine, cursor: number): EditedLine => ({ text, cursor });

const before = ({ text, cursor }: EditedLine): number =>
  cursor - (charactersOf(text.slice(Math.max(0, cursor - LONGEST_CHARACTER), cursor)).at(-1)?.length ?? 0);

const after = ({ text, cursor }: EditedLine): number =>
  cursor + (charactersOf(text.slice(cursor, cursor + LONGEST_CHARACTER))[0]?.length ?? 0);

function wordBefore({ text, cursor }: EditedLine): number {
  let start = text.slice(0, cursor).trimEnd().length;
  while (start > 0 && /\S/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

const wordAfter = ({ text, cursor }: EditedLine): number =>
  cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);

const rowStart = ({ text, cursor }: EditedLine): number => text.lastIndexOf("\n", cursor - 1) + 1;

function rowEnd({ text, cursor }: EditedLine): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

const without = ({ text }: EditedLine, from: number, to: number): EditedLine => ({
  text: text.slice(0, from) + text.slice(to),
  cursor: from,
});

/** Replaces the text between a position and the cursor. */
export const replaceBefore = ({ text, cursor }: EditedLine, start: number, by: string): EditedLine => ({
  text: text.slice(0, start) + by + text.slice(cursor),
  cursor: start + by.length,
});

export const insert = (line: EditedLine, text: string): EditedLine => replaceBefore(line, line.cursor, text);

/** Edits that depend only on the line and the cursor. */
export const EDITS = {
  backspace: (line: EditedLine) => without(line, before(line), line.cursor),
  delete: (line: EditedLine) => without(line, line.cursor, after(line)),
  left: (line: EditedLine) => moved(line, before(line)),
  right: (line: EditedLine) => moved(line, after(line)),
  home: (line: EditedLine) => moved(line, rowStart(line)),
  end: (line: EditedLine) => moved(line, rowEnd(line)),
  "word-left": (line: EditedLine) => moved(line, wordBefore(line)),
  "word-right": (line: EditedLine) => moved(line, wordAfter(line)),
  "kill-to-end": (line: EditedLine) => without(line, line.cursor, rowEnd(line)),
  "kill-to-start": (line: EditedLine) => without(line, rowStart(line), line.cursor),
  "kill-word": (line: EditedLine) => without(line, wordBefore(line), line.cursor),
  newline: (line: EditedLine) => insert(line, "\n"),
} as const;

/** The same column in the row above or below; undefined when there is none. */
export function verticalMove(line: EditedLine, direction: "up" | "down"): EditedLine | undefined {
  const { text, cursor } = line;
  const start = rowStart(line);
  const column = cursor - start;
  if (direction === "up") {
    if (start === 0) return undefined;
    const above = rowStart({ text, cursor: start - 1 });
    return moved(line, Math.min(above + column, start - 1));
  }
  const end = rowEnd(line);
  if (end === text.length) return undefined;
  return moved(line, Math.min(end + 1 + column, rowEnd({ text, cursor: end + 1 })));
}

/** Earlier lines and the present line, to move up and down in. Edits made on the way are kept. */
export class LineHistory {
  readonly #lines: string[];
  #at: number;

  constructor(lines: readonly string[]) {
    this.#lines = [...lines, ""];
    this.#at = lines.length;
  }

  /** Undefined at either end. */
  go(direction: "up" | "down", from: EditedLine): EditedLine | undefined {
    const next = this.#at + (direction === "up" ? -1 : 1);
    const line = this.#lines[next];
    if (line === undefined) return undefined;
    this.#lines[this.#at] = from.text;
    this.#at = next;
    return lineWith(line);
  }
}
