import type { CaughtUpFrame, GapFrame, MessageFrame, NoticeFrame, DeliveryFrame } from "../connection/wire-frame.ts";

/** The fields that every enveloped event has when it is delivered. */
export interface DeliveredEnvelope {
  readonly v: number;
  readonly id: string;
  readonly from_peer: string;
  readonly from_name: string;
  readonly ts_published: string;
  readonly ts_server?: string;
  readonly schema?: string;
  readonly correlation_id?: string | null;
  readonly parent_id?: string | null;
  readonly terminal_id?: string | null;
  readonly data: unknown;
}

export interface EventItem {
  readonly kind: "event";
  readonly topic: string;
  /** Peer id of the publisher, or `server`. */
  readonly from: string;
  readonly sequence: number;
  /** The cursor of this event. A subscription from here starts with the next event. */
  readonly cursor: string;
  /** When the bus stored the event, by the bus's clock, in milliseconds since 1970. */
  readonly storedAtMs: number;
  /** As delivered. */
  readonly payload: unknown;
  /** Null when the payload came bare, as it does on `system.*`. */
  readonly envelope: DeliveredEnvelope | null;
  /** What the event's schema describes: the envelope's data, or the bare payload. */
  readonly data: unknown;
}

/** A message from the bus to the peers that listen now. It is not stored, so no reader of the log finds it. */
export interface NoticeItem {
  readonly kind: "notice";
  readonly topic: string;
  readonly from: string;
  /** By the bus's clock, in milliseconds since 1970. */
  readonly sentAtMs: number;
  readonly payload: unknown;
}

/** Events between two cursors that can no longer be read, because they are too old or their log was replaced. */
export interface GapItem {
  readonly kind: "gap";
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/**
 * All events stored before the subscription began have been delivered. Comes once, and only when the subscription began
 * at a cursor.
 */
export interface CaughtUpItem {
  readonly kind: "caught-up";
  /** Every event up to this cursor was delivered or does not match the pattern. */
  readonly cursor: string;
}

export type BusItem = EventItem | NoticeItem | GapItem | CaughtUpItem;

/** The cursor from which a subscription continues after an item; undefined for a notice, which is not in the log. */
export function cursorAfter(item: BusItem): string | undefined {
  if (item.kind === "notice") return undefined;
  return item.kind === "gap" ? item.to : item.cursor;
}

/** On topics without a schema, a peer may publish a payload that only looks like an envelope. */
function isEnvelope(payload: unknown): payload is DeliveredEnvelope {
  if (typeof payload !== "object" || payload === null || !Object.hasOwn(payload, "data")) return false;
  const { v, id } = payload as Partial<DeliveredEnvelope>;
  return typeof v === "number" && typeof id === "string";
}

export function readItem(frame: MessageFrame): EventItem;
export function readItem(frame: NoticeFrame): NoticeItem;
export function readItem(frame: GapFrame): GapItem;
export function readItem(frame: CaughtUpFrame): CaughtUpItem;
export function readItem(frame: DeliveryFrame): BusItem;
export function readItem(frame: DeliveryFrame): BusItem {
  if (frame.push === "caught-up") return { kind: "caught-up", cursor: frame.resumeCursor };
  if (frame.push === "gap") return { kind: "gap", from: frame.from, to: frame.to, reason: frame.reason };
  if (frame.sequence === undefined) {
    const { topic, from, sentAt: sentAtMs, payload } = frame;
    return { kind: "notice", topic, from, sentAtMs, payload };
  }
  const { topic, from, sequence, cursor, sentAt: storedAtMs, payload } = frame;
  const envelope = isEnvelope(payload) ? payload : null;
  const data = envelope === null ? payload : envelope.data;
  return { kind: "event", topic, from, sequence, cursor, storedAtMs, payload, envelope, data };
}
