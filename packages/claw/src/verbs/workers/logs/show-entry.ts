import type { Paint } from "../../runtime/paint.ts";
import { foldLines } from "../../text/text-layout.ts";
import { cutToWidth } from "../../text/text-width.ts";
import type { LogKind, LogItem } from "./log-source.ts";

const colourOf = (kind: LogKind, paint: Paint): ((text: string) => string) => {
  switch (kind) {
    case "start":
      return paint.bold;
    case "end":
      return paint.green;
    case "error":
      return paint.red;
    case "question":
    case "answer":
      return paint.yellow;
    case "tool":
      return paint.cyan;
    case "prompt":
    case "result":
    case "note":
      return paint.dim;
    case "text":
      return (text) => text;
  }
};

/** Calls and their results keep to their lines, which are cut; what is prose is broken between words. */
const CUT: ReadonlySet<LogKind> = new Set(["tool", "result"]);

const eachLine = (text: string, change: (line: string) => string): string => text.split("\n").map(change).join("\n");

/** An item for people; output of a terminal stays as it is. */
export function showEntry({ kind, text }: LogItem, paint: Paint): string {
  if (kind === undefined) return text;
  const fitted = CUT.has(kind)
    ? eachLine(text, (line) => cutToWidth(line, paint.columns))
    : foldLines(text.trimEnd(), paint.columns);
  return eachLine(fitted, colourOf(kind, paint));
}
