import type { JsonObject, Redactor, RunResult } from "claw-contract";
import type { RunUpdate } from "./run-update.ts";
import type { AgentSessionRecord } from "./session-record.ts";
import type { EventSpool } from "../stores/event-store.ts";
import type { StreamMessage } from "./stream-message.ts";

/** One object of the agent's stream, or the updates that the end of the stream causes. */
export interface RunItem {
  /** The object as the agent wrote it, with secrets masked; empty for the end of the stream. */
  readonly native: JsonObject;
  /** The object as a line without LF; empty for a dropped piece and for the end of the stream. */
  readonly line: string;
  /** The lines `stream-json` prints; `{ type: "native", harness, event }` for an event without a stream-json shape. */
  readonly messages: readonly StreamMessage[];
  readonly updates: readonly RunUpdate[];
}

/** Progress of a run whose stream is still open. */
export interface RunProgress {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /**
   * Input tokens in the messages of this process alone. `inputTokens` may cover the whole session that the process
   * resumed.
   */
  readonly messageInputTokens: number;
  readonly costUsd: number | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  /** The agent's name for its permission mode; null where the agent does not tell. */
  readonly permissionMode: string | null;
  /** The agent's current activity in a few words; null before the first activity. */
  readonly activity: string | null;
  /** Whether a turn has ended and none has begun since. */
  readonly sawResult: boolean;
  /** Number of turns begun. */
  readonly turns: number;
  /**
   * Time when a reached limit of the account resets, in milliseconds since 1970; null when no limit is reached or the
   * agent named no time.
   */
  readonly limitResetsAtMs: number | null;
  /** Tasks in the background that are known to run. */
  readonly backgroundTasks: number;
}

/** How the process ended. */
export interface ExitEvidence {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last part of the agent's stderr, up to the size the runner keeps. */
  readonly stderr: string;
  readonly ended: "by-itself" | "total-deadline" | "idle-deadline" | "linger" | "cancelled" | "not-started";
  readonly durationMs: number;
  /** Why it did not start. */
  readonly startError?: string;
  /** Content of the file that the runner offered to the agent for its last message. */
  readonly lastMessage?: string;
  /** The agent's own record of the conversation. */
  readonly record?: AgentSessionRecord;
}

/** How `createRunReader(harness, options)` reads. */
export interface RunReaderOptions {
  /** `metadata` and `diagnostics` come from the harness's `command`; a recording has none. */
  readonly metadata?: JsonObject;
  readonly diagnostics?: readonly string[];
  /** Names the run in diagnostics. */
  readonly subject?: string;
  /** Whether a run that ended with a question, or left work behind, is called doubtful. True without it. */
  readonly hangHeuristic?: boolean;
  /** Whether the agent may have left tasks in the background. True without it. */
  readonly backgroundTasks?: boolean;
  /** Masks secrets before data is kept, passed on or spooled. Without a redactor, data stays unchanged. */
  readonly redactor?: Redactor;
  /**
   * Whether the result holds the events in `raw_messages` and `stream_events`. True without it. A caller that drops them
   * saves parsing the stream again.
   */
  readonly includesEvents?: boolean;
  /** Takes all events once memory holds too many. Without a spool, further events are counted and dropped. */
  readonly spool?: EventSpool;
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
  /** Takes bytes, cut anywhere. Returns the items that these bytes complete, in order. Never throws. */
  push(chunk: Uint8Array): readonly RunItem[];
  /** Ends the stream. A last line without LF counts. Further calls return no items. */
  end(): readonly RunItem[];
  /** For the live line and the watchdogs. Cheap enough to be called for every chunk. */
  progress(): RunProgress;
  /** Builds the result of the run. Ends the stream if the caller has not. The same evidence gives the same result. */
  finish(evidence: ExitEvidence): RunResult;
}
