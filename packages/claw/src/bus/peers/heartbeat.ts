import { LIMITS } from "claw-contract";
import type { Peer } from "./peer.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { EventLog } from "../log/index.ts";
import type { PublishShelf } from "../publish/publishing.ts";
import type { Server } from "../server.ts";
import type { Knowledge } from "../state/knowledge.ts";
import type { Terminals } from "../terminals/terminals.ts";
import type { ConnectedPeers } from "./connected-peers.ts";
import type { LiveNotice } from "../delivery/push-live.ts";
import { pushLive } from "../delivery/push-live.ts";

/** Pushes regularly that the bus and its terminals are alive, for monitors that rely on a regular sign of life. */
export interface Heartbeat {
  /**
   * Sends the heartbeat when due. Returns when the next heartbeat is due, in milliseconds; Infinity while none is
   * needed.
   */
  check(): number;
}

/** Shelves that a heartbeat reports on, and the shelf that delivers the heartbeat. */
interface Beating
  extends
    Server,
    Pick<ConnectedPeers, "peers">,
    Pick<PublishShelf, "rates">,
    Pick<Delivery, "fanout" | "durables">,
    Pick<Knowledge, "serial"> {
  readonly log: EventLog;
  readonly terminals: Terminals;
}

/** Older clients get heartbeats without asking for the capability. */
const isFor =
  ({ policy }: Beating) =>
  (peer: Peer): boolean =>
    policy === "compat" || peer.capabilities.has("heartbeat");

/** Older monitors also read a file, which is written even when no client is connected. */
function isNeeded(context: Beating): boolean {
  if (context.policy === "compat" && context.terminals.open().length > 0) return true;
  const isMeant = isFor(context);
  // Without a copy of all peers: asked at each look of the clock (bench growth, "publish" beside many peers).
  for (const peer of context.peers.values()) if (isMeant(peer)) return true;
  return false;
}

const MS_PER_SECOND = 1000;

/** The notices of one heartbeat. `since` is the time of the last heartbeat, and the head of the log at that time. */
function noticesOf(context: Beating, since: { readonly at: number; readonly head: number }): LiveNotice[] {
  const { log, peers, terminals, serial, startedAt } = context;
  const [sentAt, ts] = [context.now(), context.timestamp()];
  const uptimeMs = sentAt - startedAt;
  const open = terminals.open();
  const seconds = Math.max(1, sentAt - since.at) / MS_PER_SECOND;
  const metrics = {
    publishRate_per_sec: (log.head() - since.head) / seconds,
    queueDepth: serial.waiting(),
    peerCount: peers.size,
    eventLogLastSeq: log.head(),
    uptimeMs,
    ts,
  };
  return [
    { topic: "system.heartbeat", payload: { uptimeMs, peers: peers.size, terminals: open.length }, sentAt },
    { topic: "system.metrics", payload: metrics, sentAt },
    ...open.map((id) => ({ topic: `system.terminal.${id}.alive`, payload: { terminal_id: id, ts }, sentAt })),
  ];
}

/** One notice for each peer that publishes too much or does not keep up. */
function peerNotices(context: Beating): LiveNotice[] {
  const traffic = context.rates.takeTraffic();
  const [sentAt, ts] = [context.now(), context.timestamp()];
  return [...context.peers.values()].flatMap((peer) => {
    const { id, name, missedNotices } = peer;
    const { published = 0, refused = 0 } = traffic.get(id) ?? {};
    peer.missedNotices = 0;
    if (missedNotices + refused === 0) return [];
    const counts = { droppedFrames: missedNotices, rateLimitHits: refused, publishCount: published };
    return [{ topic: `system.peer.metrics.${id}`, payload: { peerId: id, peerName: name, ...counts, ts }, sentAt }];
  });
}

/** Calls `noticed` with every pushed notice. */
export function createHeartbeat(context: Beating, noticed: (notice: LiveNotice) => void): Heartbeat {
  let last: { at: number; head: number } | undefined;
  return {
    check: () => {
      if (!isNeeded(context)) {
        last = undefined;
        return Infinity;
      }
      const now = context.now();
      if (last === undefined) {
        last = { at: now, head: context.log.head() };
        // Clears the counters: traffic before the first heartbeat is not reported.
        peerNotices(context);
      }
      if (now - last.at < LIMITS.aliveMs) return last.at + LIMITS.aliveMs;
      for (const notice of [...noticesOf(context, last), ...peerNotices(context)]) {
        pushLive(context, notice, isFor(context));
        noticed(notice);
      }
      last = { at: now, head: context.log.head() };
      return now + LIMITS.aliveMs;
    },
  };
}
