import type { TerminalLook } from "../../terminal/play-terminal.ts";
import type { BottomRows } from "../../terminal/terminal-screen.ts";
import { wrap } from "../../terminal/terminal-screen.ts";

const MARK = "❯ ";
const MARGIN = "  ";
/** A longer paste is shown as a placeholder, as Claude Code does. */
const SHOWN_LINES = 4;
const SHOWN_CHARS = 800;

const isLong = (text: string): boolean => text.length > SHOWN_CHARS || text.split("\n").length > SHOWN_LINES;

/** The prompt between two rules, as Claude Code draws it. The row below tells whether the agent is at work. */
function promptRows(text: string, columns: number, isAtWork: boolean): BottomRows {
  const rule = "─".repeat(columns);
  const shown = isLong(text) ? `[Pasted text #1 +${text.split("\n").length - 1} lines]` : text;
  const wrapped = shown.split("\n").map((line) => wrap(line, columns - MARGIN.length - 1));
  const rows = wrapped.flatMap((each) => each.rows).map((row, at) => `${at === 0 ? MARK : MARGIN}${row}`);
  const column = MARGIN.length + (wrapped.at(-1)?.width ?? 0);
  const below = isAtWork ? "esc to interrupt" : "? for shortcuts";
  return { rows: [rule, ...rows, rule, `${MARGIN}${below}`], cursor: { row: rows.length, column } };
}

/** A question with its choices, the first of which Enter takes, as Claude Code draws it. */
function questionRows(question: string, columns: number): BottomRows {
  const asked = question.split("\n").flatMap((line) => wrap(line, columns - MARGIN.length).rows);
  const above = ["─".repeat(columns), ...asked.map((row) => ` ${row}`), "", " Do you want to proceed?"];
  return {
    rows: [...above, ` ${MARK}1. Yes`, "   2. No", "", " Esc to cancel"],
    cursor: { row: above.length, column: 1 },
  };
}

/** How Claude Code looks on a terminal. */
export const CLAUDE_LOOK: TerminalLook = { title: "✻ Fake Claude Code", promptRows, questionRows };
