import { objectOf, shellQuote } from "claw-contract";
import type { ListedApproval } from "./approval-list.ts";
import type { Paint } from "../../runtime/paint.ts";
import { pairs } from "../../text/text-layout.ts";

/** Fields of the subject that are shown first, in this order. */
const FIRST = ["tool", "command", "argv", "files", "cwd", "request_type", "blocking_resource"];

const indent = (text: string): string => text.replaceAll("\n", "\n    ");

/** Joins the words of a command line, each quoted for a shell, to show where each word ends. */
const commandText = (argv: readonly unknown[]): string => argv.map((word) => shellQuote(String(word))).join(" ");

function valueText(name: string, value: unknown): string {
  if (typeof value === "string") return indent(value);
  if (name === "argv" && Array.isArray(value)) return commandText(value);
  return indent(JSON.stringify(value, null, 2));
}

/** Shows a diff with added lines in green and removed lines in red. */
function diffText(diff: string, paint: Paint): string {
  const line = (text: string): string => {
    if (text.startsWith("+")) return paint.green(text);
    return text.startsWith("-") ? paint.red(text) : text;
  };
  return diff
    .split("\n")
    .map((text) => `    ${line(text)}`)
    .join("\n");
}

/**
 * Describes the status of an approval in a few words: open, expired, or the decision and the peer or rule that decided.
 */
export function statusText({ status, decision, by, rule, chosen, reason }: ListedApproval): string {
  if (status === "open") return "open";
  if (status === "expired") return `expired (${reason ?? "deadline"})`;
  const who = rule === null ? (by ?? "") : `rule ${rule}`;
  return `${decision === "approve" ? "approved" : "rejected"} by ${who}${chosen === null ? "" : `: ${chosen}`}`;
}

/** Shows an approval: the line that asks, and below the line the exact subject of the question. */
export function approvalText(entry: ListedApproval, paint: Paint): string {
  const { subject, options, cut, masked } = entry;
  const known = FIRST.filter((name) => Object.hasOwn(subject, name));
  const others = Object.keys(subject).filter((name) => !FIRST.includes(name) && name !== "diff");
  // A tool's input often says only the command or the files again.
  const shown = [...known, ...others].filter((name) => name !== "input" || !isRepeated(entry));
  const rows = shown.map((name) => [`  ${name}`, valueText(name, subject[name])] as const);
  const choices = options.map(({ id, label }) => (label === undefined ? id : `${id} (${label})`)).join(", ");
  const { diff } = subject;
  return [
    `${paint.bold(entry.approval_id)}  ${entry.worker}: ${entry.message}`,
    ...(rows.length === 0 ? [] : [pairs(rows, paint)]),
    ...(typeof diff === "string" ? [`  ${paint.dim("diff")}`, diffText(diff, paint)] : []),
    ...(choices === "" ? [] : [`  ${paint.dim("options")}  ${choices}`]),
    ...(cut ? [`  ${paint.yellow("Not all of it is shown; the answer is about all of it.")}`] : []),
    ...(masked ? [`  ${paint.yellow("Secrets in it are masked.")}`] : []),
  ].join("\n");
}

/** Whether the other fields of the subject repeat every field of the tool's input. */
function isRepeated({ subject }: ListedApproval): boolean {
  const { input, ...others } = subject;
  const fields = Object.entries(objectOf(input));
  return fields.length > 0 && fields.every(([name, value]) => JSON.stringify(value) === JSON.stringify(others[name]));
}
