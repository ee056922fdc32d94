import { cutChars } from "claw-contract";
import type { Redactor } from "claw-contract";
import type { Approve, PermissionQuestion } from "../../../agent/index.ts";
import type { TerminalPort } from "../../runtime/handle.ts";

const MAX_DIFF_LINES = 60;
const MAX_FIELD = 2000;

function inputLines(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [`  ${cutChars(JSON.stringify(input) ?? "", MAX_FIELD)}`];
  return Object.entries(input).map(
    ([name, value]) =>
      `  ${name}: ${cutChars(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), MAX_FIELD)}`,
  );
}

function diffLines(diff: string): string[] {
  const lines = diff.trimEnd().split("\n");
  const more = lines.length - MAX_DIFF_LINES;
  return more > 0 ? [...lines.slice(0, MAX_DIFF_LINES), `… ${more} more lines`] : lines;
}

/** The question for a person: the tool, the reason for asking, and the input or the diff. */
export function describeQuestion({ tool, input, reason, preview }: PermissionQuestion, redactor: Redactor): string {
  const what = preview === null ? inputLines(input) : diffLines(preview.diff);
  return redactor.redactText([`claw wants to use ${tool}: ${reason}`, ...what].join("\n"));
}

/** Refuses every call, because there is no person to ask. */
export const refuseAll: Approve = ({ reason }) =>
  Promise.resolve({ allow: false, reason: `${reason}, and there is no person to ask` });

/** Asks the person at the terminal. Anything but yes is no. */
export const askAtTerminal =
  (terminal: TerminalPort, redactor: Redactor): Approve =>
  async (question, signal) => {
    const answer = await terminal.ask(`${describeQuestion(question, redactor)}\n[y]es, [n]o? `, signal);
    return /^\s*y(es)?\s*$/i.test(answer ?? "") ? { allow: true } : { allow: false, reason: "denied at the terminal" };
  };
