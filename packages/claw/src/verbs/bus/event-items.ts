import { randomUUID } from "node:crypto";
import type { EventItem, GapItem, NoticeItem } from "claw-client";
import type { VerbItem } from "claw-contract";
import { describeEvent } from "./event-text/describe-event.ts";
import type { PeerNames } from "./event-text/peer-names.ts";
import type { Paint } from "../runtime/paint.ts";
import { foldLines } from "../text/text-layout.ts";
import { padToWidth } from "../text/text-width.ts";
import { localTime } from "../text/times.ts";

type Item = VerbItem<"events">;
type Format = "claw" | "cloudevents";

const SERVER = "claws://server";
/** Type of the CloudEvent that tells of events which can no longer be read; no topic has it. */
export const GAP_TYPE = "claw.gap";

export const timeOf = ({ storedAtMs }: EventItem): string => new Date(storedAtMs).toISOString();

/** An event as CloudEvents 1.0 has it; the topic is its type. */
const cloudEvent = (event: EventItem): Item => ({
  specversion: "1.0",
  id: event.envelope?.id || event.cursor,
  source: event.from === "server" ? SERVER : `claws://${encodeURIComponent(event.from)}`,
  type: event.topic,
  time: timeOf(event),
  datacontenttype: "application/json",
  sequence: String(event.sequence),
  cursor: event.cursor,
  data: event.data ?? null,
});

export function eventItem(event: EventItem, format: Format): Item {
  if (format === "cloudevents") return cloudEvent(event);
  const { topic, from, sequence, cursor, payload } = event;
  return { type: "event", topic, from, ts_server: timeOf(event), sequence, cursor, payload };
}

/**
 * A notice: the bus sent the notice and did not store it. A notice has no cursor, so the CloudEvent gets a random id.
 */
export function noticeItem({ topic, from, sentAtMs, payload }: NoticeItem, format: Format): Item {
  const time = new Date(sentAtMs).toISOString();
  if (format === "claw") return { type: "notice", topic, from, ts_server: time, payload };
  return {
    specversion: "1.0",
    id: randomUUID(),
    source: SERVER,
    type: topic,
    time,
    datacontenttype: "application/json",
    data: payload ?? null,
  };
}

export function gapItem({ from, to, reason }: GapItem, format: Format): Item {
  if (format === "claw") return { type: "gap", from, to, reason };
  return {
    specversion: "1.0",
    id: `gap ${from} ${to}`,
    source: SERVER,
    type: GAP_TYPE,
    datacontenttype: "application/json",
    data: { from, to, reason },
  };
}

/**
 * Whether an event says that the caller's own peer joined. A caller that follows events does not want to see the event.
 */
export const isOwnComing = (
  { topic, payload }: Pick<EventItem, "topic" | "payload">,
  own: string | undefined,
): boolean => topic === "system.peer.joined" && (payload as { readonly peerId?: unknown }).peerId === own;

const WHY: Readonly<Record<string, string>> = {
  retention: "they were too old to be kept",
  epoch: "the log was replaced",
};

/** Describes a gap in the log for people. */
export const gapText = ({ from, to, reason }: Pick<GapItem, "from" | "to" | "reason">): string =>
  `events after ${from} and up to ${to} can no longer be read: ${WHY[reason] ?? reason}`;

/** What the publisher said: the data of an envelope, or the whole of a bare payload. */
export function dataOf(payload: unknown): unknown {
  const enveloped = typeof payload === "object" && payload !== null && "v" in payload && "data" in payload;
  return enveloped ? payload.data : payload;
}

export interface ShownEvent {
  /** Absent for a notice, which is not stored. */
  readonly sequence?: number;
  readonly topic: string;
  readonly from: string;
  readonly ts_server: string;
  readonly payload?: unknown;
  readonly summary?: string | undefined;
}

const NAME_COLUMNS = 12;

/** A line for people: the peer, and a description of the event. */
export function summaryOf(
  { topic, from, payload }: Pick<ShownEvent, "topic" | "from" | "payload">,
  names: PeerNames,
): string {
  const { who, text } = describeEvent({ topic, from, data: dataOf(payload) }, (id) => names.of(id));
  return `${padToWidth(who, NAME_COLUMNS)}  ${text}`;
}

const INDENT = "        ";
const SEQUENCE_COLUMNS = 6;

/** The place of an event in the log; a dash for a notice, which has no place. */
const sequenceCell = ({ sequence }: ShownEvent): string => String(sequence ?? "-").padStart(SEQUENCE_COLUMNS);

/** An event with the whole published payload. */
function wholeEvent(event: ShownEvent, paint: Paint): string {
  const { topic, from, ts_server, payload } = event;
  const parts = [paint.dim(sequenceCell(event)), paint.dim(localTime(ts_server)), paint.cyan(topic), paint.dim(from)];
  const json = payload === undefined ? "" : (JSON.stringify(payload, null, 2) ?? "");
  const body = json === "" ? [] : json.split("\n").map((line) => `${INDENT}${line}`);
  return [parts.join("  "), ...body].join("\n");
}

/**
 * An event for people. A summary is broken between words where the terminal is too narrow; without a summary, shows the
 * whole payload.
 */
export function eventItemLine(event: ShownEvent, paint: Paint): string {
  if (event.summary === undefined) return wholeEvent(event, paint);
  const head = `${sequenceCell(event)}  ${localTime(event.ts_server)}`;
  // Joined to one line: `foldLines` then finds the columns and puts wrapped words below the text.
  const line = `${head}  ${event.summary.replaceAll(/[\r\n]+/g, " ")}`;
  const text = foldLines(line.trimEnd(), paint.columns);
  return `${paint.dim(text.slice(0, head.length))}${text.slice(head.length)}`;
}
