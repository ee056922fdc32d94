import { createHmac } from "node:crypto";
import type { Notice, NoticeKind } from "claw-contract";
import { cutChars, LIMITS, oneLine } from "claw-contract";

/** A notice on its way, the same for each attempt. */
export interface NoticeDelivery {
  /** Stable: a repeated delivery of the same notice has the same id. */
  readonly id: string;
  readonly kind: NoticeKind | "test";
  readonly peerId: string | null;
  /** ISO time of the event. */
  readonly ts: string;
  /** The worker's name and text, where the settings ask for content. */
  readonly content: { readonly worker: string; readonly text: string } | null;
}

export const noticeContent = ({ text }: Notice, worker: string): NonNullable<NoticeDelivery["content"]> => ({
  worker,
  text: cutChars(oneLine(text), LIMITS.notifyTextChars, LIMITS.notifyTextChars - 1),
});

/** The notice as JSON. `attempt` is 1 for the first attempt of this daemon. */
export const bodyOf = ({ id, kind, peerId, ts, content }: NoticeDelivery, attempt: number): string =>
  JSON.stringify({ v: 1, id, kind, peer_id: peerId, ts, attempt, ...content });

/**
 * The signature of a body: an HMAC-SHA256 of the time and the body, so that a receiver can refuse old and foreign
 * notices.
 */
export function signatureOf(body: string, secret: string, seconds: number): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
