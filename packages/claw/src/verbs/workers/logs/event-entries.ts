import type { EventItem } from "claw-client";
import { objectOf } from "claw-contract";
import { describeEvent } from "../../bus/event-text/describe-event.ts";
import type { LogEntry, LogKind } from "./log-source.ts";
import { entry } from "./log-source.ts";

/**
 * Kinds of entries for the worker's own events, by the last segment of the topic. Other topics are not in the worker's
 * log.
 */
const OWN: Readonly<Record<string, LogKind>> = {
  boot: "start",
  phase: "note",
  event: "note",
  complete: "end",
  signal: "tool",
};

const CHECKPOINTS: Readonly<Record<string, LogKind>> = {
  BLOCKED: "question",
  REQUEST: "question",
  ERROR: "error",
  LOG: "text",
  DECISION: "text",
};

/** Signals whose information is in no other event. */
const SHOWN_SIGNALS: ReadonlySet<unknown> = new Set([
  "tool_started",
  "unclear",
  "rate_limited",
  "paused",
  "resumed",
  "exited",
]);

/** Events of the server about a worker that are part of the worker's log. */
const SERVER: Readonly<Record<string, LogKind>> = {
  "system.worker.verified": "note",
  "system.worker.accepted": "note",
  "system.worker.rework": "note",
  "system.worker.alert": "error",
  "system.peer.left": "note",
};

function kindOf({ topic, data }: EventItem, id: string): LogKind | undefined {
  const [area, peer, word = ""] = topic.split(".");
  const fields = objectOf(data);
  if (area === "cmd") return peer === id ? "answer" : undefined;
  if (area === "system") return fields["peerId"] === id ? SERVER[topic] : undefined;
  if (area !== "worker" || peer !== id) return undefined;
  if (word === "event") return CHECKPOINTS[String(fields["kind"])] ?? "note";
  if (word === "signal" && !SHOWN_SIGNALS.has(fields["signal"])) return undefined;
  return word === "complete" && fields["result"] === "failed" ? "error" : OWN[word];
}

/** Entries for an event about a worker; empty when the event is not part of the worker's log. */
export function eventEntries(item: EventItem, id: string, nameOf: (peerId: string) => string): LogEntry[] {
  const kind = kindOf(item, id);
  return kind === undefined ? [] : entry(kind, describeEvent(item, nameOf).text);
}
