import { LIMITS } from "claw-contract";
import { knownWorker } from "../publish/gates.ts";
import type { Store } from "../publish/store-event.ts";
import { publishSystem } from "../publish/store-event.ts";
import type { Server } from "../server.ts";
import type { Knowledge } from "../state/knowledge.ts";
import type { Peer } from "./peer.ts";
import { hasPeerEnded } from "./peer.ts";
import type { ConnectedPeers } from "./connected-peers.ts";

interface Watched extends Store, ConnectedPeers, Pick<Knowledge, "state">, Pick<Server, "now"> {}

/** Whether the silence of a peer means something: it is a worker that is still at work. */
const isWatched = (context: Watched, peer: Peer): boolean =>
  peer.role === "worker" && peer.speaksFor === undefined && !peer.stale && !hasPeerEnded(knownWorker(context, peer));

/** Publishes `system.peer.stale` once for each silence of a worker. Returns when the next worker will be stale. */
export function markStale(context: Watched): number {
  let next = Infinity;
  for (const peer of context.peers.values()) {
    if (!isWatched(context, peer)) continue;
    const heardAt = Math.max(peer.lastSeen, context.listening.since);
    const silentMs = context.now() - heardAt;
    if (silentMs > LIMITS.staleMs) tellStale(context, peer, silentMs);
    else next = Math.min(next, heardAt + LIMITS.staleMs + 1);
  }
  return next;
}

function tellStale(context: Store, peer: Peer, silentMs: number): void {
  peer.stale = true;
  const missed = Math.floor(silentMs / (LIMITS.staleMs / 3));
  publishSystem(context, "system.peer.stale", { peerId: peer.id, last_seen: peer.lastSeen, missed_heartbeats: missed });
}
