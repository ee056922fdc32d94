import type { Delivery } from "../delivery/delivery.ts";
import type { PublishShelf } from "../publish/publishing.ts";
import type { Server } from "../server.ts";
import type { ConnectedPeers } from "./connected-peers.ts";
import type { TaskClosing } from "./due.ts";
import { failTasksOf } from "./due.ts";
import { knownWorker } from "../publish/gates.ts";
import { keepSubscriptions } from "../delivery/kept-subscriptions.ts";
import { leaveReason } from "./peer.ts";
import type { Peer } from "./peer.ts";
import { closeSubscription } from "../delivery/subscription.ts";
import type { NoticeShelves } from "../delivery/push-live.ts";
import { tellOfPeer } from "../delivery/push-live.ts";

interface Leaving
  extends NoticeShelves, TaskClosing, Delivery, ConnectedPeers, Pick<PublishShelf, "rates">, Pick<Server, "policy"> {}

/** Older workers open a connection for each event they publish. A connection without `boot` was for one such event. */
function isOneCall({ policy, state }: Leaving, peer: Peer): boolean {
  const booted = peer.booted || (peer.returns && state.workers.of(peer.id).life.hasBooted);
  return policy === "compat" && !booted;
}

/** Takes a peer out whose connection has ended. A newer connection under the same id stays. */
export function leave(context: Leaving, peer: Peer, by: "client" | "server" = "client"): void {
  const isCurrent = context.peers.get(peer.id) === peer;
  if (isCurrent) keepSubscriptions(context, peer);
  for (const subscription of peer.subscriptions.values()) closeSubscription(context, subscription);
  if (!isCurrent) return;
  context.peers.delete(peer.id);
  context.calls.leave(peer.id);
  context.rates.leave(peer.id);
  const otherwise = by === "server" ? "timeout" : "crash";
  const isNoWorker = peer.speaksFor !== undefined || isOneCall(context, peer);
  const reason = isNoWorker ? "clean" : leaveReason(peer.role, knownWorker(context, peer), otherwise);
  tellOfPeer(context, peer, "system.peer.left", { peerId: peer.id, role: peer.role, reason });
  if (peer.returns) context.leftAt.set(peer.id, context.now());
  else failTasksOf(context, peer.id);
}
