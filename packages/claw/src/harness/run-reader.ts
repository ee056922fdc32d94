import type { JsonObject, Redactor, RunResult } from "@claw/contract";
import type { RunUpdate } from "./run-update.ts";
import type { SessionRecord } from "./session-record.ts";
import type { Spool } from "./spool.ts";
import type { StreamMessage } from "./stream-message.ts";

/** One object of the agent's stream, or what its end means. */
export interface RunItem {
  /** As it came, but for secrets; empty for the end. */
  readonly native: JsonObject;
  /** The same as a line without its end; empty for the end. */
  readonly line: string;
  /** What `stream-json` prints for it; `{ type: "native", harness, event }` when nobody knows what it means. */
  readonly messages: readonly StreamMessage[];
  readonly updates: readonly RunUpdate[];
}

/** What is known while the stream goes on. */
export interface RunProgress {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the messages of this process alone; totals may be about all of a session that it goes on with. */
  readonly messageInputTokens: number;
  readonly costUsd: number | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  /** What the agent says it may do, in its own words; null where it does not say. */
  readonly permissionMode: string | null;
  /** What the agent is doing, in a few words; null before it does anything. */
  readonly activity: string | null;
  /** Whether a turn has ended and none has begun since. */
  readonly sawResult: boolean;
  /** Turns that have begun. */
  readonly turns: number;
  /** When a limit of the account that was reached is over, as far as the agent said, in milliseconds since 1970. */
  readonly limitResetsAtMs: number | null;
  /** Tasks in the background that are known to run. */
  readonly backgroundTasks: number;
}

/** How the process ended. */
export interface ExitEvidence {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what it wrote there, at most what the runner keeps. */
  readonly stderr: string;
  readonly ended: "by-itself" | "total-deadline" | "idle-deadline" | "linger" | "cancelled" | "not-started";
  readonly durationMs: number;
  /** Why it did not start. */
  readonly startError?: string;
  /** What the agent left in the file that was offered for its last message. */
  readonly lastMessage?: string;
  /** What the agent wrote down of its conversation. */
  readonly record?: SessionRecord;
}

/** How `createRunReader(harness, options)` reads. */
export interface RunReaderOptions {
  /** What the harness said when it was asked for its command; nothing for a recording. */
  readonly metadata?: JsonObject;
  readonly diagnostics?: readonly string[];
  /** Names the run in diagnostics. */
  readonly subject?: string;
  /** Whether a run that ended with a question, or left work behind, is called doubtful. True without it. */
  readonly hangHeuristic?: boolean;
  /** Whether the agent may have left tasks in the background. True without it. */
  readonly backgroundTasks?: boolean;
  /** Masks secrets before anything is kept, told or spooled. Without one everything stays as it is. */
  readonly redactor?: Redactor;
  /** Where events go past the limit; without one they are counted and dropped. */
  readonly spool?: Spool;
  /**
   * Whether pieces of text count as signs of life alone: they are neither kept nor passed on, and the text of a message
   * that was cut is in `output`. For a run that asked for pieces itself.
   */
  readonly dropsPieces?: boolean;
  readonly maxLineBytes?: number;
  readonly maxOutputBytes?: number;
  readonly maxEventsBytes?: number;
}

/** Reads the stream of one run. Knows no process, no clock and no file. */
export interface RunReader {
  /** Takes bytes as they come, cut anywhere. Returns what they completed, in order. Never throws. */
  push(chunk: Uint8Array): readonly RunItem[];
  /** The stream is over; a last line without its end counts. Further calls return nothing. */
  end(): readonly RunItem[];
  /** For the live line and the watchdogs. Cheap enough to be called for every chunk. */
  progress(): RunProgress;
  /** What the run came to. Ends the stream if nobody has. The same evidence gives the same result. */
  finish(evidence: ExitEvidence): RunResult;
}
