import { cutChars } from "claw-contract";
import type { Redactor } from "claw-contract";
import type { AnyTool, Approve, PermissionQuestion } from "../../../agent/index.ts";
import type { Screen, Span, Style } from "../../runtime/screen.ts";
import { callLine, toolSubjectOf } from "./tool-lines.ts";

const MAX_DIFF_LINES = 60;
const MAX_FIELD = 2000;

function diffStyle(line: string): Style[] {
  if (line.startsWith("+")) return ["green"];
  if (line.startsWith("-")) return ["red"];
  return line.startsWith("@@") ? ["cyan"] : ["dim"];
}

/**
 * The changes of a diff in colours, up to the line limit. Leaves out the header, because the question names the file.
 */
export function diffSpans(diff: string): Span[] {
  const all = diff.trimEnd().split("\n");
  const lines = all.slice(
    Math.max(
      0,
      all.findIndex((line) => line.startsWith("@@")),
    ),
  );
  const more = lines.length - MAX_DIFF_LINES;
  const shown = lines.slice(0, MAX_DIFF_LINES).map((line) => ({ text: `  ${line}\n`, styles: diffStyle(line) }));
  return more > 0 ? [...shown, { text: `  … ${more} more lines\n`, styles: ["dim"] }] : shown;
}

/** The fields of the call's input, without a value that the call's line already shows in full. */
function inputSpans(input: unknown, shown: string): Span[] {
  const fields: [string, unknown][] =
    typeof input === "object" && input !== null ? Object.entries(input) : [["input", input]];
  return fields
    .filter(([, value]) => value !== shown)
    .map(([name, value]) => ({
      text: `  ${name}: ${cutChars(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), MAX_FIELD)}\n`,
      styles: ["dim"],
    }));
}

/** The path of the file that would change, unless the call's line already shows the path. */
const placeSpans = ({ preview }: PermissionQuestion, subject: string): Span[] =>
  preview === null || preview.path.endsWith(subject) ? [] : [{ text: `  in ${preview.path}\n`, styles: ["bold"] }];

const QUESTION: readonly Span[] = [
  { text: "Allow it? " },
  { text: "y", styles: ["bold"] },
  { text: " once, " },
  { text: "a", styles: ["bold"] },
  { text: " always in this session, " },
  { text: "n", styles: ["bold"] },
  { text: " no: " },
];

/**
 * Asks the person at the screen, one question at a time. The answer `a` allows the same tool with the same subject
 * until the session ends.
 */
export function createPermissionAsker(screen: Screen, tools: () => readonly AnyTool[], redactor: Redactor): Approve {
  const allowed = new Set<string>();
  let before: Promise<unknown> = Promise.resolve();
  const show = (question: PermissionQuestion, subject: string): void => {
    const { tool, input, reason, preview } = question;
    const line = callLine(tool, subject, "yellow", screen.columns());
    const isWhole = line.some(({ text }) => text === ` ${subject}\n`);
    const rest =
      preview === null ? inputSpans(redactor.redactValue(input), isWhole ? subject : "") : diffSpans(preview.diff);
    const spans = [{ text: "\n" }, ...line, { text: `  ${reason}\n`, styles: ["yellow"] as const }];
    const all: Span[] = [...spans, ...placeSpans(question, subject), ...rest];
    screen.write(...all.map((span) => ({ ...span, text: redactor.redactText(span.text) })));
  };
  const ask: Approve = async (question, signal) => {
    signal.throwIfAborted();
    const subject = toolSubjectOf(tools(), question.tool, question.input);
    const key = JSON.stringify([question.tool, subject]);
    if (allowed.has(key)) return { allow: true };
    show(question, subject);
    const answer = await screen.choose({ prompt: QUESTION, keys: ["y", "a", "n"] }, signal);
    if (answer === "a") allowed.add(key);
    return answer === "y" || answer === "a" ? { allow: true } : { allow: false, reason: "denied at the terminal" };
  };
  return (question, signal) => {
    const asked = before.then(() => ask(question, signal));
    before = asked.catch(() => undefined);
    return asked;
  };
}
