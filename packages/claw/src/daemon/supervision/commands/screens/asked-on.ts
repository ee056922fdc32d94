import { cutChars } from "claw-contract";
import type { TerminalScreen } from "claw-contract";

/** A row in which a choice is marked. */
const CHOICE = /^\s*[\u276f\u203a] /;
/** Rows between a question and earlier content of the screen: rules, pictures, messages. */
const EDGE = /^[\u2500\u2594]{10}|^\.{10}|[\u2588\u2591\u2593]|^[\u276f\u203a\u25cf\u2022\u25e6] /;
/** The command line that Codex asks to run. */
const COMMAND = /^\$ /;
const QUESTION_CHARS = 120;
/** A shorter heading is understood only together with the next row. */
const HEADING_CHARS = 24;

/** The rows of the question: above the choices, below earlier content of the screen. */
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

/** The question on a screen, as one line in the agent's words. Empty when the screen has no such text. */
export function askedOn(screen: TerminalScreen): string {
  const rows = questionRows(screen);
  const asked = rows.find((row) => row.includes("?"));
  const command = rows.find((row) => COMMAND.test(row));
  const said = asked === undefined ? heading(rows) : asked.slice(0, asked.lastIndexOf("?") + 1);
  const whole = command === undefined ? said : `${said} ${command}`;
  return cutChars(whole, QUESTION_CHARS, QUESTION_CHARS - 1);
}
