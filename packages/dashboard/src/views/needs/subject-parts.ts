import type { ApprovalView } from "claw-contract";
import { isObject } from "claw-contract/client";

/** A part of an approval's subject. */
export type SubjectPart =
  | { readonly kind: "command"; readonly argv: readonly string[] | null; readonly text: string }
  | { readonly kind: "diff"; readonly text: string }
  | { readonly kind: "field"; readonly name: string; readonly text: string };

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? ""));

const isDiff = (name: string, value: unknown): value is string =>
  typeof value === "string" && (name === "diff" || name === "patch");

/** Shown by the card itself, or told twice. */
const SHOWN_ELSEWHERE = new Set(["command", "argv", "diff", "patch", "reason", "request_type", "left_out"]);

/** The input of a tool without what the command line says already. */
function inputOf(value: unknown, isCommandShown: boolean): unknown {
  if (!isObject(value) || !isCommandShown) return value;
  const { command: _command, ...rest } = value;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** What exactly is asked for, in the order in which a person should read it: command, change, then all the rest. */
export function subjectParts({ subject }: Pick<ApprovalView, "subject">): readonly SubjectPart[] {
  const { command, argv } = subject;
  const words = Array.isArray(argv) && argv.every((word) => typeof word === "string") ? argv : null;
  const parts: SubjectPart[] = [];
  if (words !== null) parts.push({ kind: "command", argv: words, text: words.join(" ") });
  if (command !== undefined) parts.push({ kind: "command", argv: null, text: textOf(command) });
  const places = [subject, isObject(subject["input"]) ? subject["input"] : {}];
  for (const place of places) {
    for (const [name, value] of Object.entries(place)) {
      if (isDiff(name, value)) parts.push({ kind: "diff", text: value });
    }
  }
  // The input says most of it again: it stands last.
  const { input, ...rest } = subject;
  for (const [name, whole] of Object.entries(input === undefined ? rest : { ...rest, input })) {
    const value = name === "input" ? inputOf(whole, command !== undefined || words !== null) : whole;
    if (!SHOWN_ELSEWHERE.has(name) && value !== undefined) parts.push({ kind: "field", name, text: textOf(value) });
  }
  return parts;
}
