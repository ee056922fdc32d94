import { fitsStars } from "../fits-stars.ts";
import type { Subject } from "./approval-subject.ts";

/** An answer that was given beforehand. Everything it names has to fit. */
export interface ApprovalRule {
  readonly id: string;
  readonly decision: "approve" | "reject";
  readonly harness?: string | undefined;
  /** Name of the worker; `*` stands for anything. */
  readonly worker?: string | undefined;
  readonly tool?: string | undefined;
  /** The whole command, or its first words and then ` *`. */
  readonly command?: string | undefined;
  /** The folder; `/*` at its end also means everything below. */
  readonly cwd?: string | undefined;
  readonly request_type?: string | undefined;
  /** Option to choose. */
  readonly chosen?: string | undefined;
}

/** What a rule is held against. */
export interface Asked {
  readonly harness: string | null;
  readonly worker: string;
  readonly subject: Subject;
  /** Whether all of it is there to see: nothing cut off, nothing masked. */
  readonly isWhole: boolean;
}

/** What a shell takes for more than a word: with one of these, a command is not only the command it begins with. */
const SHELL_SYNTAX = /[;&|<>$`\\"'(){}\n\r*?[\]#~!\0]/;

/** Whether a text is what the pattern says, `*` being anything but the ends of lines. */
const fits = (pattern: string, text: unknown): boolean =>
  typeof text === "string" && fitsStars(pattern, text, "\n\r\0");

function fitsCwd(pattern: string, cwd: unknown): boolean {
  if (typeof cwd !== "string" || cwd.split("/").includes("..")) return false;
  if (!pattern.endsWith("/*")) return cwd === pattern;
  const root = pattern.slice(0, -2);
  return cwd === root || cwd.startsWith(`${root}/`);
}

const wordsOf = (text: string): string[] => text.split(" ").filter((word) => word !== "");

/** The words of a command as its program gets them; undefined when that takes a shell to say. */
function argvOf({ argv, command }: Subject): readonly string[] | undefined {
  if (Array.isArray(argv)) return argv.every((word) => typeof word === "string") ? argv : undefined;
  if (typeof command !== "string" || SHELL_SYNTAX.test(command)) return undefined;
  return wordsOf(command);
}

/** Whether a tool's own input asks for the command that is shown, and for no other. */
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
 * A command in which a shell would find more than words is approved only letter by letter. Rejecting, the pattern is
 * held against the text as it stands: what is refused too often does no harm.
 */
function fitsCommand(pattern: string, subject: Subject, decision: ApprovalRule["decision"]): boolean {
  const { argv, command } = subject;
  const text = typeof command === "string" ? command : Array.isArray(argv) ? argv.join(" ") : undefined;
  if (text === undefined) return false;
  if (decision === "reject") return fits(pattern, text.replaceAll(/[\n\r\0]/g, " "));
  return isOneCommand(subject) && (command === pattern || fitsWords(pattern, subject));
}

/** Whether a rule answers what is asked. */
export function ruleFits(rule: ApprovalRule, { harness, worker, subject, isWhole }: Asked): boolean {
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

/** The first rule that answers; undefined when none does. */
export const findRule = (rules: readonly ApprovalRule[], asked: Asked): ApprovalRule | undefined =>
  rules.find((rule) => ruleFits(rule, asked));
