import type { JsonObject } from "@claw/contract";
import type { FailureWords } from "./classify.ts";
import type { Usage } from "./run-update.ts";

/** What a stream adds up to. */
export interface StreamTotals {
  readonly sessionId: string | null;
  readonly turnsStarted: number;
  readonly usage: Usage;
  readonly droppedEvents: number;
}

/** How the events of one kind of agent are kept and judged. */
export interface StreamRules {
  /** What its stream is called in warnings. */
  readonly streamName: string;
  /** Whether an end without the agent's own closing words is worth a warning. */
  readonly announcesEnd: boolean;
  /** What is wrong with a stream that breaks off within a turn; null when that is for others to say. */
  readonly brokenOff: string | null;
  /** Whether a run may be called doubtful for how it ended. */
  readonly hangHeuristic: boolean;
  readonly failureWords: FailureWords;
  /** What follows an error that was cut. */
  readonly cutMark: string;
  /** Whether stderr is told even of a run that went well. */
  readonly alwaysTellsStderr: boolean;
  /** What people may see of stderr. */
  readonly filterStderr: (stderr: string) => string;
  /** What of it says why a process failed. */
  readonly causeIn: (stderr: string) => string;
  /** Warnings that stderr gives reason for. */
  readonly stderrWarnings: (stderr: string) => readonly string[];
  /** Calls that only stderr tells were refused. */
  readonly denialsIn: (stderr: string) => readonly JsonObject[];
  /** Whether `stream_events` holds an object. */
  readonly isEvent: (native: JsonObject) => boolean;
  /** The object that `stream_events` holds for a native event. */
  readonly eventOf: (native: JsonObject) => JsonObject;
  /** Whether turns are what the agent announces, for want of its own number. */
  readonly countsTurns: boolean;
  /** What the result's `metadata` says of the stream. */
  readonly metadata: (known: StreamTotals) => JsonObject;
  /** Characters of lines after which `stream_events` ends. */
  readonly maxEventChars: number;
}
