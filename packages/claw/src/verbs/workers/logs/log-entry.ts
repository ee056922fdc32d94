import type { VerbItem } from "claw-contract";
import { stripAnsi, cutChars, oneLine } from "claw-contract";

export type LogKind = NonNullable<VerbItem<"logs">["kind"]>;

/** One thing that happened in the work of a worker, as text for people. */
export interface LogEntry {
  readonly kind: LogKind;
  readonly text: string;
}

export const entryLine = (text: string, maxChars: number): string =>
  cutChars(oneLine(text.slice(0, maxChars * 4)), maxChars, maxChars - 1);

/** An entry without what only a terminal understands; none when there is nothing to read. */
export function entry(kind: LogKind, text: string): LogEntry[] {
  const plain = stripAnsi(text).trimEnd();
  return plain.trim() === "" ? [] : [{ kind, text: plain }];
}
