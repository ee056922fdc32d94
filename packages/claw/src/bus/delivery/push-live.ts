import type { Delivery } from "./delivery.ts";
import type { Server } from "../server.ts";
import type { Store } from "../publish/store-event.ts";
import type { Peer } from "../peers/peer.ts";
import { quote } from "../wire/wire.ts";
import { publishSystem } from "../publish/store-event.ts";

/** A message for live subscriptions that is not stored in the log. */
export interface LiveNotice {
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Milliseconds. */
  readonly sentAt: number;
}

/** A notice up to its optional fields and closing brace. Without a sequence it has no place in the log. */
const noticeHead = ({ topic, payload, sentAt }: LiveNotice): string =>
  `{"push":"message","protocol":"claws/2","topic":${quote(topic)},"from":"server","payload":${JSON.stringify(payload)},"sentAt":${sentAt}`;

/**
 * Sends a notice to live subscriptions of the peers that `isFor` names. A client that does not keep up misses it, and
 * the reader of a durable subscription gets none: it could not acknowledge it.
 */
export function pushLive(
  { fanout, durables }: Pick<Delivery, "fanout" | "durables">,
  notice: LiveNotice,
  isFor: (peer: Peer) => boolean = () => true,
): void {
  let head: string | undefined;
  for (const { id, peer, live } of fanout.for(notice.topic)) {
    if (!live || durables.attached.has(id) || !isFor(peer)) continue;
    if (peer.connection.congested()) {
      peer.missedNotices += 1;
      continue;
    }
    head ??= noticeHead(notice);
    peer.connection.send(peer.capabilities.size === 0 ? `${head}}` : `${head},"subscriptionId":"${id}"}`);
  }
}

/** Ways to tell of a peer: the log, or live subscriptions. */
export interface NoticeShelves extends Store, Pick<Delivery, "fanout" | "durables">, Pick<Server, "now"> {}

/** Publishes that a peer joined or left; for a transient peer, pushes a notice instead. */
export function tellOfPeer(context: NoticeShelves, peer: Peer, topic: string, payload: LiveNotice["payload"]): void {
  if (peer.transient) pushLive(context, { topic, payload, sentAt: context.now() });
  else publishSystem(context, topic, payload);
}
