import type { JsonObject } from "claw-contract";
import type { FailureWords } from "../result/classify.ts";
import type { AgentUsage } from "./run-update.ts";

/** What a stream adds up to. */
export interface StreamTotals {
  readonly sessionId: string | null;
  readonly turnsStarted: number;
  readonly usage: AgentUsage;
  readonly droppedEvents: number;
}

/** How the events of one kind of agent are kept and judged. */
export interface StreamRules {
  /** Name of the stream in warnings. */
  readonly streamName: string;
  /** Whether a stream without a result of the agent gets a warning. */
  readonly announcesEnd: boolean;
  /** Error text for a stream that breaks off within a turn; null when other checks judge the run. */
  readonly brokenOff: string | null;
  /** Whether a run may be called doubtful for how it ended. */
  readonly hangHeuristic: boolean;
  readonly failureWords: FailureWords;
  /** Mark appended to an error text that was cut. */
  readonly cutMark: string;
  /** Whether the result's warnings hold stderr even when the run went well. */
  readonly alwaysTellsStderr: boolean;
  /** Returns the part of stderr that people may see. */
  readonly filterStderr: (stderr: string) => string;
  /** Returns the part of stderr that explains why the process failed. */
  readonly causeIn: (stderr: string) => string;
  /** Warnings that stderr gives reason for. */
  readonly stderrWarnings: (stderr: string) => readonly string[];
  /** Refused calls that only stderr reports. */
  readonly denialsIn: (stderr: string) => readonly JsonObject[];
  /** Whether `stream_events` holds an object. */
  readonly isEvent: (native: JsonObject) => boolean;
  /** The object that `stream_events` holds for a native event. */
  readonly eventOf: (native: JsonObject) => JsonObject;
  /** Whether `num_turns` is the count of turns begun in the stream when the agent gives no number. */
  readonly countsTurns: boolean;
  /** What the result's `metadata` says of the stream. */
  readonly metadata: (known: StreamTotals) => JsonObject;
  /** Characters of lines after which `stream_events` ends. */
  readonly maxEventChars: number;
}
