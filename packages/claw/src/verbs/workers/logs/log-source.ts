import type { VerbItem, VerbOutput } from "claw-contract";
import { stripAnsi, cutChars, oneLine } from "claw-contract";
import type { OutputPiece } from "./terminal-output.ts";

export type LogKind = NonNullable<VerbItem<"logs">["kind"]>;

/** One thing that happened in the work of a worker, as text for people. */
export interface LogEntry {
  readonly kind: LogKind;
  readonly text: string;
  /** Id shared by the call of a tool and its result. */
  readonly call?: string;
  /** The call of the sub-agent that did it. The text is indented. */
  readonly agent?: string;
  /** Whether the entry only repeats an earlier one, for a reader who reads from above to below. */
  readonly repeats?: true;
}

export const entryLine = (text: string, maxChars: number): string =>
  cutChars(oneLine(text.slice(0, maxChars * 4)), maxChars, maxChars - 1);

/** An entry without what only a terminal understands; none when there is nothing to read. */
export function entry(kind: LogKind, text: string): LogEntry[] {
  const plain = stripAnsi(text).trimEnd();
  return plain.trim() === "" ? [] : [{ kind, text: plain }];
}

export type LogItem = VerbItem<"logs">;

export type LogOrigin = Pick<
  VerbOutput<"logs">,
  "terminal_id" | "worker_id" | "transcript" | "process_log" | "state" | "reason"
>;

/** How far a source was read. */
export interface LogReading {
  /** Called in order for each part that was read, shown or not. */
  seen(offset: number, next: number): void;
}

/** Reads the log of a worker or the output of a terminal. The caller uses either `raw` or `items`, and only once. */
export interface LogSource {
  /** The bytes without any change. */
  raw(reading: LogReading): AsyncIterable<OutputPiece>;
  /** Items for people. With `raw`, lines keep their bytes unchanged. */
  items(reading: LogReading, raw: boolean): AsyncIterable<LogItem>;
  /** Facts about the worker or the terminal. Called after the last item was read. */
  about(): LogOrigin | Promise<LogOrigin>;
  /** Ends connections. Idempotent. */
  close(): Promise<void>;
}
