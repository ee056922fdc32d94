import type { TextEdit } from "./text-edit.ts";
import { editPlaceOf } from "./text-edit.ts";

/** Words of an entry that are no secrets, besides the words of a command that claw wrote. */
const PLAIN = ["mcp_servers", "mcpServers", "mcp", "servers", "claws", "type", "stdio", "local", "command", "args"];
const PLAIN_WORDS: ReadonlySet<string> = new Set([...PLAIN, "env", "environment", "enabled", "true", "false"]);
const SHOWN_CHARS = 120;

const isPlain = (word: string, known: ReadonlySet<string>): boolean => PLAIN_WORDS.has(word) || known.has(word);

/** Whether every word of a line is known, so that the line can hold no secret. */
function isKnown(line: string, known: ReadonlySet<string>): boolean {
  const strings = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1"));
  const bare = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").split(/[\s{}[\],:=.]+/);
  return [...strings, ...bare.filter((word) => word !== "")].every((word) => isPlain(word, known));
}

/** A line of the file. The value of a line that may hold a secret is left out. */
function maskLine(line: string, known: ReadonlySet<string>): string {
  if (isKnown(line, known)) return line;
  const [name] = /^\s*(?:"[^"\\]*"|[\w.-]+)\s*[:=]/.exec(line) ?? [];
  return name === undefined || name.length > SHOWN_CHARS ? `${/^\s*/.exec(line)?.[0] ?? ""}…` : `${name} …`;
}

const linesOf = (text: string): string[] =>
  text
    .replace(/^\s*\n/, "")
    .trimEnd()
    .split(/\r?\n/);

/** The last line with text before a place. */
function lineBefore(text: string, start: number): string[] {
  const before = text.slice(0, start).trimEnd();
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line === "" ? [] : [line];
}

/** The comma between an entry and the entry beside. */
const isJoint = ({ text, start, end }: TextEdit): boolean => text.length + (end - start) <= 1;

/**
 * The changes of a file for people, each with the line before it. `ours` are the words of the command that claw wrote
 * or writes; other values are left out, because configuration files hold keys.
 */
export function showEdits(before: string, edits: readonly TextEdit[], ours: readonly string[]): string {
  const known = new Set(ours);
  const shown = edits.filter((edit) => !isJoint(edit)).toSorted((left, right) => left.start - right.start);
  return shown
    .flatMap(({ start, end, text }) => {
      const removed = before.slice(start, end);
      const first = start + (/^\s*/.exec(removed)?.[0].length ?? 0);
      return [
        `@@ line ${editPlaceOf(before, first).line} @@`,
        ...lineBefore(before, start).map((line) => ` ${maskLine(line, new Set())}`),
        ...(removed.trim() === "" ? [] : linesOf(removed).map((line) => `-${maskLine(line, known)}`)),
        ...(text.trim() === "" ? [] : linesOf(text).map((line) => `+${maskLine(line, known)}`)),
      ];
    })
    .join("\n");
}
