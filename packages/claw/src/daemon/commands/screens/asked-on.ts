import type { TerminalScreen } from "../../../bus/index.ts";

/** A row in which a choice is marked. */
const CHOICE = /^\s*[\u276f\u203a] /;
/** Rows that stand between a question and what was drawn before it: rules, pictures, what was said. */
const EDGE = /^[\u2500\u2594]{10}|^\.{10}|[\u2588\u2591\u2593]|^[\u276f\u203a\u25cf\u2022\u25e6] /;
/** What Codex would run. */
const COMMAND = /^\$ /;
const MAX_CHARS = 120;
/** A heading that is shorter needs the row below it to be understood. */
const HEADING_CHARS = 24;

/** The rows of the question: above its choices, below what was drawn before it. */
function questionRows({ lines }: TerminalScreen): readonly string[] {
  const choice = lines.findLastIndex((line) => CHOICE.test(line));
  const above = lines.slice(0, choice === -1 ? lines.length : choice);
  const edge = above.findLastIndex((line) => EDGE.test(line));
  return above
    .slice(edge + 1)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function heading([first = "", second = ""]: readonly string[]): string {
  return first.length < HEADING_CHARS ? `${first} ${second}`.trim() : first;
}

/** What a screen with a question on it asks, in a line of its own words. Empty when it says nothing. */
export function askedOn(screen: TerminalScreen): string {
  const rows = questionRows(screen);
  const asked = rows.find((row) => row.includes("?"));
  const command = rows.find((row) => COMMAND.test(row));
  const said = asked === undefined ? heading(rows) : asked.slice(0, asked.lastIndexOf("?") + 1);
  const whole = command === undefined ? said : `${said} ${command}`;
  return whole.length <= MAX_CHARS ? whole : `${whole.slice(0, MAX_CHARS - 1)}…`;
}
