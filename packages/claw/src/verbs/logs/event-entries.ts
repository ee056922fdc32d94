import type { EventItem } from "@claw/client";
import { fieldsOf } from "@claw/contract";
import { describeEvent } from "../event-text/describe-event.ts";
import type { LogEntry, LogKind } from "./log-entry.ts";
import { entry } from "./log-entry.ts";

/** What the worker itself told, by the last word of its topic; what is not here is no part of its story. */
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

/** Signals that say something that no other event says. */
const SIGNALS: ReadonlySet<unknown> = new Set([
  "tool_started",
  "unclear",
  "rate_limited",
  "paused",
  "resumed",
  "exited",
]);

/** What of the server's events about a worker belongs to its story. */
const SERVER: Readonly<Record<string, LogKind>> = {
  "system.worker.verified": "note",
  "system.worker.accepted": "note",
  "system.worker.rework": "note",
  "system.worker.alert": "error",
  "system.peer.left": "note",
};

function kindOf({ topic, data }: EventItem, id: string): LogKind | undefined {
  const [area, peer, word = ""] = topic.split(".");
  const fields = fieldsOf(data);
  if (area === "cmd") return peer === id ? "answer" : undefined;
  if (area === "system") return fields["peerId"] === id ? SERVER[topic] : undefined;
  if (area !== "worker" || peer !== id) return undefined;
  if (word === "event") return CHECKPOINTS[String(fields["kind"])] ?? "note";
  if (word === "signal" && !SIGNALS.has(fields["signal"])) return undefined;
  return word === "complete" && fields["result"] === "failed" ? "error" : OWN[word];
}

/** What an event on the bus says of the work of one worker; nothing for what is no part of it. */
export function eventEntries(item: EventItem, id: string, nameOf: (peerId: string) => string): LogEntry[] {
  const kind = kindOf(item, id);
  return kind === undefined ? [] : entry(kind, describeEvent(item, nameOf).text);
}
