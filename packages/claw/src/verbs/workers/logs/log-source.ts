import type { VerbItem, VerbOutput } from "claw-contract";
import type { OutputPiece } from "./terminal-output.ts";

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
