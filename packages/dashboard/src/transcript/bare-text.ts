import type { TranscriptItem } from "./fold-transcript.ts";

/** What stands before the lines of each kind of text in a terminal: a sign, and the same room before further lines. */
const SIGNS: Readonly<Partial<Record<TranscriptItem["kind"], RegExp>>> = {
  prompt: /^> /gm,
  tool: /^● /,
  result: /^ {2}(?:└ | {2})/gm,
  error: /^ {2}(?:└ | {2})/gm,
};

/** The text of an item without the signs and the indentation that a terminal shows in place of layout. */
export function bareText({ kind, text, agent }: Pick<TranscriptItem, "kind" | "text" | "agent">): string {
  const own = agent === undefined ? text : text.replaceAll(/^ {2}/gm, "");
  const sign = SIGNS[kind];
  return sign === undefined ? own : own.replace(sign, "");
}
