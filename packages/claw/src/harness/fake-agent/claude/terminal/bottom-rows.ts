import type { BottomRows } from "./terminal-screen.ts";

const MARK = "❯ ";
const MARGIN = "  ";
/** Longer pastes are shown by what stands for them, as Claude Code does. */
const SHOWN_LINES = 4;
const SHOWN_CHARS = 800;
/** From here on characters may take two columns. */
const WIDE_FROM = 0x1100;

const widthOf = (character: string): number => ((character.codePointAt(0) ?? 0) < WIDE_FROM ? 1 : 2);

/** A line as rows of so many columns at most. */
function wrap(line: string, columns: number): { readonly rows: readonly string[]; readonly width: number } {
  const rows = [""];
  let width = 0;
  for (const character of line) {
    if (width + widthOf(character) > columns) {
      rows.push("");
      width = 0;
    }
    rows.push(`${rows.pop() ?? ""}${character}`);
    width += widthOf(character);
  }
  return { rows, width };
}

const isLong = (text: string): boolean => text.length > SHOWN_CHARS || text.split("\n").length > SHOWN_LINES;

/** The prompt between its rules, as Claude Code draws it. */
export function promptRows(text: string, columns: number): BottomRows {
  const rule = "─".repeat(columns);
  const shown = isLong(text) ? `[Pasted text #1 +${text.split("\n").length - 1} lines]` : text;
  const wrapped = shown.split("\n").map((line) => wrap(line, columns - MARGIN.length - 1));
  const rows = wrapped.flatMap((each) => each.rows).map((row, at) => `${at === 0 ? MARK : MARGIN}${row}`);
  const column = MARGIN.length + (wrapped.at(-1)?.width ?? 0);
  return { rows: [rule, ...rows, rule, `${MARGIN}? for shortcuts`], cursor: { row: rows.length, column } };
}

/** A question with its choices, the first of which Enter takes, as Claude Code draws it. */
export function questionRows(question: string, columns: number): BottomRows {
  const asked = question.split("\n").flatMap((line) => wrap(line, columns - MARGIN.length).rows);
  const above = ["─".repeat(columns), ...asked.map((row) => ` ${row}`), "", " Do you want to proceed?"];
  return {
    rows: [...above, ` ${MARK}1. Yes`, "   2. No", "", " Esc to cancel"],
    cursor: { row: above.length, column: 1 },
  };
}
