import { cutChars, oneLine } from "../text/plain-text.ts";
import type { WorktreeChanges } from "../events/families/worktree.ts";
import type { JsonObject } from "../json.ts";
import { isObject } from "../json.ts";

/** A committed event about a worker. */
export interface EventFact {
  readonly kind: "event";
  readonly topic: string;
  /** Peer that published the event; `server` for an event of the server. */
  readonly from: string;
  /** The publisher's data without the envelope; any content is possible. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly sequence: number;
  /** Time of storage, in milliseconds. */
  readonly at: number;
}

/** The current time, with facts about the worker's connection. */
export interface ClockFact {
  readonly kind: "clock";
  readonly at: number;
  /** Start of uninterrupted listening; silence before this time does not count against a worker. */
  readonly listeningSince: number;
  /** Time of the last frame on the worker's connection, event or not; null without a connection. */
  readonly lastFrame: number | null;
}

export type WorkerFact = EventFact | ClockFact;

const LINE_CHARS = 200;

/** A text that is not empty. */
export const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** The same on one line, cut to what a state needs. */
export function lineIn(value: unknown): string | null {
  const text = textIn(value)?.slice(0, LINE_CHARS * 2);
  const line = oneLine(text ?? "");
  return line === "" ? null : cutChars(line, LINE_CHARS, LINE_CHARS - 1);
}

/** Why a worker entered FAILED. */
export const failureIn = (reason: unknown): string => lineIn(reason) ?? "it says that it failed";

export const amountIn = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;

/** Milliseconds of an ISO time. */
export function timeIn(value: unknown): number | null {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}

/** What a worker's report says of its worktree; null when the worker has none, or git did not say. */
export function worktreeChangesIn({ diff, commits, uncommitted }: JsonObject): WorktreeChanges | null {
  if (!isObject(diff) || !Array.isArray(commits)) return null;
  return {
    files: amountIn(diff["files"]) ?? 0,
    insertions: amountIn(diff["insertions"]) ?? 0,
    deletions: amountIn(diff["deletions"]) ?? 0,
    commits: commits.length,
    uncommitted: amountIn(uncommitted) ?? 0,
  };
}
