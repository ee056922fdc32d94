import { fitsStars } from "../text/fits-stars.ts";
import type { Subject } from "./approval-subject.ts";

/** An answer given in advance. A rule answers a question only when every field set in the rule fits. */
export interface ApprovalRule {
  readonly id: string;
  readonly decision: "approve" | "reject";
  readonly harness?: string | undefined;
  /** Name of the worker; `*` stands for anything. */
  readonly worker?: string | undefined;
  readonly tool?: string | undefined;
  /** The whole command, or its first words and then ` *`. */
  readonly command?: string | undefined;
  /** The folder; with `/*` at the end, also every folder below. */
  readonly cwd?: string | undefined;
  readonly request_type?: string | undefined;
  /** Option to choose. */
  readonly chosen?: string | undefined;
}

/** The question a rule is compared with. */
export interface AskedAction {
  readonly harness: string | null;
  readonly worker: string;
  readonly subject: Subject;
  /** Whether the subject is complete: no part is cut off, no part is masked. */
  readonly isWhole: boolean;
}

/** Characters with a meaning for a shell. A command with one of them may run more than the first command in it. */
const SHELL_SYNTAX = /[;&|<>$`\\"'(){}\n\r*?[\]#~!\0]/;

/** Whether the text matches the pattern; `*` stands for any characters except line ends and NUL. */
const fits = (pattern: string, text: unknown): boolean =>
  typeof text === "string" && fitsStars(pattern, text, "\n\r\0");

function fitsCwd(pattern: string, cwd: unknown): boolean {
  if (typeof cwd !== "string" || cwd.split("/").includes("..")) return false;
  if (!pattern.endsWith("/*")) return cwd === pattern;
  const root = pattern.slice(0, -2);
  return cwd === root || cwd.startsWith(`${root}/`);
}

const wordsOf = (text: string): string[] => text.split(" ").filter((word) => word !== "");

/** The words of a command as the program gets them; undefined when only a shell could split the command. */
function argvOf({ argv, command }: Subject): readonly string[] | undefined {
  if (Array.isArray(argv)) return argv.every((word) => typeof word === "string") ? argv : undefined;
  if (typeof command !== "string" || SHELL_SYNTAX.test(command)) return undefined;
  return wordsOf(command);
}

/** Whether the tool's input holds the same command that the subject shows, and no second one. */
function isOneCommand({ argv, command, input }: Subject): boolean {
  if (argv !== undefined && command !== undefined) return false;
  const inner = typeof input === "object" && input !== null ? (input as Subject)["command"] : undefined;
  return inner === undefined || JSON.stringify(inner) === JSON.stringify(command ?? argv);
}

/** The rule's words are the command's first words, one by one; `*` at the end lets more follow. */
function fitsWords(pattern: string, subject: Subject): boolean {
  const words = argvOf(subject);
  const isOpen = pattern.endsWith("*");
  const wanted = wordsOf(isOpen ? pattern.slice(0, -1) : pattern);
  if (words === undefined || wanted.some((word) => word.includes("*"))) return false;
  if (words.length < wanted.length || (!isOpen && words.length > wanted.length)) return false;
  return wanted.every((word, index) => words[index] === word);
}

/**
 * A rule approves a command with shell syntax only when the texts are equal. A rejecting rule matches its pattern
 * against the text as written: rejecting too often does no harm.
 */
function fitsCommand(pattern: string, subject: Subject, decision: ApprovalRule["decision"]): boolean {
  const { argv, command } = subject;
  const text = typeof command === "string" ? command : Array.isArray(argv) ? argv.join(" ") : undefined;
  if (text === undefined) return false;
  if (decision === "reject") return fits(pattern, text.replaceAll(/[\n\r\0]/g, " "));
  return isOneCommand(subject) && (command === pattern || fitsWords(pattern, subject));
}

/** Whether a rule answers the question. */
export function approvalRuleFits(rule: ApprovalRule, { harness, worker, subject, isWhole }: AskedAction): boolean {
  if (rule.decision === "approve" && !isWhole) return false;
  return (
    (rule.harness === undefined || rule.harness === harness) &&
    (rule.worker === undefined || fits(rule.worker, worker)) &&
    (rule.tool === undefined || fits(rule.tool, subject["tool"])) &&
    (rule.request_type === undefined || rule.request_type === subject["request_type"]) &&
    (rule.cwd === undefined || fitsCwd(rule.cwd, subject["cwd"])) &&
    (rule.command === undefined || fitsCommand(rule.command, subject, rule.decision))
  );
}

/** The first rule that fits the question; undefined when no rule fits. */
export const findRule = (rules: readonly ApprovalRule[], asked: AskedAction): ApprovalRule | undefined =>
  rules.find((rule) => approvalRuleFits(rule, asked));
