import type { Peer } from "../peers/peer.ts";
import { matches } from "./subscription.ts";

/** Frames sent outside a client's subscriptions while the client is slow; further frames are not delivered. */
const DIRECT_FRAMES = 500;

export interface DirectFrame {
  readonly topic: string;
  readonly from: string;
  readonly payload: unknown;
  /** Absent when the frame is not in the log. */
  readonly sequence?: number;
}

/** Sends a frame to one peer without a subscription. */
export interface DirectPush {
  /** False when the client does not keep up and too many such frames wait for it already. */
  send(peer: Peer, frame: DirectFrame): boolean;
}

export function createDirectPush(now: () => number): DirectPush {
  const waiting = new WeakMap<Peer, number>();
  return {
    send: (peer, { topic, from, payload, sequence }) => {
      const behind = peer.connection.congested() ? (waiting.get(peer) ?? 0) + 1 : 0;
      if (behind > DIRECT_FRAMES) return false;
      waiting.set(peer, behind);
      const frame = { push: "message", protocol: "claws/2", topic, from, payload, sentAt: now(), sequence };
      peer.connection.send(JSON.stringify(frame));
      return true;
    },
  };
}

/** Whether the peer gets events of a topic by subscription anyway. */
export const isSubscribed = (peer: Peer, topic: string): boolean =>
  [...peer.subscriptions.values()].some((subscription) => matches(subscription, topic));
