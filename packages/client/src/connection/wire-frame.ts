import type { LineFields } from "claw-contract";
import { isLineReply, readFrameLine } from "claw-contract/client";

/** The bus's answer to a request. */
export interface WireReply {
  readonly ok: boolean;
  readonly error?: unknown;
  readonly [field: string]: unknown;
}

export interface MessageFrame {
  readonly push: "message";
  readonly topic: string;
  readonly from: string;
  readonly payload?: unknown;
  readonly sentAt: number;
  readonly sequence: number;
  readonly subscriptionId: string;
  readonly cursor: string;
  readonly replayed?: boolean;
}

/** A message that the bus does not store and that has no place in the log. */
export interface NoticeFrame extends Omit<MessageFrame, "sequence" | "cursor" | "replayed"> {
  readonly sequence?: never;
}

export interface GapFrame {
  readonly push: "gap";
  readonly subscriptionId: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

export interface CaughtUpFrame {
  readonly push: "caught-up";
  readonly subscriptionId: string;
  readonly resumeCursor: string;
}

/** Another reader has taken over this durable subscription. */
export interface DetachedFrame {
  readonly push: "detached";
  readonly subscriptionId: string;
  readonly durable: string;
}

/** Another connection continues as this peer. */
export interface FencedFrame {
  readonly push: "fenced";
}

/** Frames that a subscription's consumer may be given. */
export type DeliveryFrame = LogFrame | NoticeFrame;

/** Frames that have a place in the log. */
export type LogFrame = MessageFrame | GapFrame | CaughtUpFrame;

/** Frames that belong to a subscription. */
export type SubscriptionFrame = DeliveryFrame | DetachedFrame;

export type PushFrame = SubscriptionFrame | FencedFrame;

export type WireFrame =
  | { readonly kind: "reply"; readonly id: number; readonly reply: WireReply }
  | { readonly kind: "push"; readonly push: PushFrame }
  /** A frame that this client does not understand or wait for. */
  | { readonly kind: "other" };

const OTHER: WireFrame = { kind: "other" };

const areNumbers = (...values: readonly unknown[]): boolean => values.every((value) => typeof value === "number");
const areTexts = (...values: readonly unknown[]): boolean => values.every((value) => typeof value === "string");

function isPush(frame: LineFields): frame is LineFields & PushFrame {
  const { push, subscriptionId, topic, from, to, cursor, sequence, sentAt, resumeCursor, durable } = frame;
  if (push === "message") {
    const isStored = areTexts(cursor) && areNumbers(sequence);
    return areTexts(subscriptionId, topic, from) && areNumbers(sentAt) && (isStored || sequence === undefined);
  }
  if (push === "gap") return areTexts(subscriptionId, from, to);
  if (push === "caught-up") return areTexts(subscriptionId, resumeCursor);
  return push === "fenced" || (push === "detached" && areTexts(subscriptionId, durable));
}

/** Reads one line from the bus. Never throws; a frame that only a newer bus sends is `other`. */
export function readFrame(line: string): WireFrame {
  const frame = readFrameLine(line);
  if (frame === undefined) return OTHER;
  if (frame["push"] !== undefined) return isPush(frame) ? { kind: "push", push: frame } : OTHER;
  return isLineReply(frame) ? { kind: "reply", id: frame.rid, reply: frame } : OTHER;
}
