import type { TerminalLook } from "../../terminal/play-terminal.ts";
import type { BottomRows } from "../../terminal/terminal-screen.ts";
import { wrap } from "../../terminal/terminal-screen.ts";

const MARK = "› ";
const MARGIN = "  ";
/** A longer paste is shown as a placeholder, as Codex does. */
const SHOWN_CHARS = 1000;

/** The prompt below what Codex is at, as Codex draws it. */
function promptRows(text: string, columns: number, isAtWork: boolean): BottomRows {
  const shown = text.length > SHOWN_CHARS ? `[Pasted Content ${text.length} chars]` : text;
  const wrapped = shown.split("\n").map((line) => wrap(line, columns - MARGIN.length - 1));
  const rows = wrapped.flatMap((each) => each.rows).map((row, at) => `${at === 0 ? MARK : MARGIN}${row}`);
  const above = isAtWork ? ["", "• Working (0s • esc to interrupt)", ""] : [""];
  const column = MARGIN.length + (wrapped.at(-1)?.width ?? 0);
  return {
    rows: [...above, ...rows, "", `${MARGIN}gpt-5.5 default`],
    cursor: { row: above.length + rows.length - 1, column },
  };
}

/** A question with its choices, the first of which Enter takes, as Codex draws it. */
function questionRows(question: string, columns: number): BottomRows {
  const asked = question.split("\n").flatMap((line) => wrap(line, columns - MARGIN.length).rows);
  const rows = ["", ...asked.map((row) => `${MARGIN}${row}`), "", `${MARK}1. Yes`, `${MARGIN}2. No`, ""];
  return { rows: [...rows, `${MARGIN}enter continue · esc quit`], cursor: { row: 0, column: 0 } };
}

/** How Codex looks on a terminal. */
export const CODEX_LOOK: TerminalLook = { title: "  >_ Fake Codex", promptRows, questionRows };
