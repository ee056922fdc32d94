import type { VerbItem, VerbOutput } from "@claw/contract";
import type { OutputPiece } from "../terminal-output.ts";

export type LogItem = VerbItem<"logs">;

export type About = Pick<
  VerbOutput<"logs">,
  "terminal_id" | "worker_id" | "transcript" | "process_log" | "state" | "reason"
>;

/** How far a source was read. */
export interface Reading {
  /** Called for everything that was read, shown or not, in order. */
  seen(offset: number, next: number): void;
}

/** Where what a worker did, or a terminal printed, is read. One of both ways is taken, once. */
export interface LogSource {
  /** Bytes as they are. */
  raw(reading: Reading): AsyncIterable<OutputPiece>;
  /** The same for people. `raw` keeps the bytes of lines as they are. */
  items(reading: Reading, raw: boolean): AsyncIterable<LogItem>;
  /** What is known once everything was read. */
  about(): About | Promise<About>;
  /** Ends connections. Idempotent. */
  close(): Promise<void>;
}
