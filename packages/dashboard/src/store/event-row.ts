import type { EventItem } from "claw-client";
import { isObject, objectOf, stringOrNull } from "claw-contract/client";
import { inertLine } from "../text/inert.ts";

export type Tone = "plain" | "good" | "bad" | "asks";

/** One event of the log as a list shows it. The whole event stays in the log and is read from there when a person opens it. */
export interface EventRow {
  readonly sequence: number;
  readonly cursor: string;
  /** Milliseconds. */
  readonly at: number;
  readonly topic: string;
  readonly from: string;
  /** The worker that the event is about; null for none. */
  readonly worker: string | null;
  /** The last word of the topic; for a worker's event its kind. */
  readonly kind: string;
  readonly tone: Tone;
  readonly text: string;
  /** The state, phase, signal or decision that the event tells; null for others. */
  readonly word: string | null;
  /** The state before the one that the event tells; null for others. */
  readonly previous: string | null;
  /**
   * What a worker's life has cost so far, in US dollars; in the event that tells the end of a process, what the life
   * spent and could not tell itself. Null in other events.
   */
  readonly costUsd: number | null;
  /** Whether that cost is estimated from tokens. */
  readonly isEstimate: boolean;
  /** Ids that tie events together: a request, a command, an approval. */
  readonly threads: readonly string[];
}

type Data = Readonly<Record<string, unknown>>;

const GOOD: ReadonlySet<string> = new Set(["accepted", "applied", "verified", "answered", "complete", "completed"]);
const BAD: ReadonlySet<string> = new Set(["alert", "refused", "expired", "fired", "warning", "malformed", "stale"]);

const workerOf = (topic: string, from: string, data: Data): string | null => {
  const [family, named = ""] = topic.split(".");
  if (family === "worker") return named;
  if (family === "cmd") return named === "role" ? null : named;
  if (from !== "server") return null;
  return stringOrNull(data["peerId"]) ?? stringOrNull(data["targetPeerId"]);
};

const kindOf = (topic: string, data: Data): string =>
  topic.endsWith(".event") ? (stringOrNull(data["kind"]) ?? "event") : (topic.split(".").at(-1) ?? topic);

function toneOf(kind: string, data: Data): Tone {
  if (kind === "REQUEST" || kind === "BLOCKED" || kind === "opened" || data["state"] === "needs_input") return "asks";
  const severity = data["severity"];
  if (kind === "ERROR" || severity === "error" || severity === "fatal" || data["passed"] === false) return "bad";
  if (data["state"] === "failed" || data["phase"] === "FAILED" || data["decision"] === "reject") return "bad";
  if (BAD.has(kind)) return "bad";
  return GOOD.has(kind) ? "good" : "plain";
}

/** Members whose values say the most, in the order in which a line shows them. */
const TELLING = [
  "state",
  "phase",
  "signal",
  "message",
  "reason",
  "detail",
  "current_action",
  "mission_summary",
  "decision",
  "result",
  "summary",
  "text",
  "name",
  "peerName",
  "cmdTopic",
  "transition_reason",
  "current_phase",
  "step",
  "tool",
  "command",
  "prompt",
  "title",
];
const TOLD_MEMBERS = 3;
const ROW_CHARS = 160;

const partOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : null;

function textOf(data: unknown): string {
  if (!isObject(data)) return inertLine(typeof data === "string" ? data : (JSON.stringify(data) ?? ""), ROW_CHARS);
  const parts = TELLING.flatMap((name) => partOf(data[name]) ?? []);
  const told = [...new Set(parts)].slice(0, TOLD_MEMBERS);
  return inertLine(told.length > 0 ? told.join(" · ") : JSON.stringify(data), ROW_CHARS);
}

const WORDS = ["state", "phase", "signal", "decision"];

const numberIn = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

/** The cost that an event tells. Only the daemon knows what a life that was cut off has spent. */
function costIn(topic: string, from: string, data: Data): Pick<EventRow, "costUsd" | "isEstimate"> {
  if (topic === "system.worker.terminated") {
    const late = from === "server" ? numberIn(objectOf(data["unreported"])["cost_usd"]) : null;
    return { costUsd: late, isEstimate: late !== null };
  }
  const costUsd = numberIn(data["cost_usd"]) ?? numberIn(data["total_cost_usd"]);
  return { costUsd, isEstimate: costUsd !== null && data["cost_estimated"] === true };
}

const THREAD_MEMBERS = [
  "requestId",
  "request_id",
  "correlation_id",
  "commandId",
  "command_id",
  "approvalId",
  "approval_id",
];

function threadsOf(data: Data, envelope: EventItem["envelope"]): readonly string[] {
  const ids = THREAD_MEMBERS.flatMap((name) => stringOrNull(data[name]) ?? []);
  const own = envelope === null ? [] : [envelope.id, envelope.correlation_id ?? "", envelope.parent_id ?? ""];
  return [...new Set([...ids, ...own].filter((id) => id !== ""))];
}

export function eventRowOf(item: EventItem): EventRow {
  const { topic, from, sequence, cursor, storedAtMs: at, envelope } = item;
  const data = objectOf(item.data);
  const kind = kindOf(topic, data);
  return {
    sequence,
    cursor,
    at,
    topic,
    from,
    worker: workerOf(topic, from, data),
    kind,
    tone: toneOf(kind, data),
    text: textOf(item.data),
    word: WORDS.map((name) => stringOrNull(data[name])).find((word) => word !== null) ?? null,
    previous: topic === "system.worker.state" ? stringOrNull(data["previous"]) : null,
    ...costIn(topic, from, data),
    threads: threadsOf(data, envelope),
  };
}
