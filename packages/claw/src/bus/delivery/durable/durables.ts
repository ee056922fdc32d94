import type { Server } from "../../server.ts";
import type { CatchUpLog } from "../catch-up.ts";
import { catchUpWithLog, replay } from "../catch-up.ts";
import type { Delivery } from "../delivery.ts";
import type { Subscribing, PeerSubscription } from "../subscription.ts";
import { closeSubscription, openSubscription, rewind } from "../subscription.ts";
import type { Peer } from "../../peers/peer.ts";
import { storageCode } from "../../publish/store-event.ts";
import type { Refused } from "../../requests/request-handler.ts";
import { error } from "../../requests/request-handler.ts";
import type { DurableRecord, DurableStore } from "./durable-store.ts";
import type { Window } from "./window.ts";
import { createWindow } from "./window.ts";

/** A durable subscription with a connected reader. */
export interface ReaderAttachment {
  readonly name: string;
  readonly peer: Peer;
  readonly window: Window;
  readonly ackWaitMs: number;
  subscription: PeerSubscription;
}

export interface Durables {
  readonly store: DurableStore;
  /** By the id of the subscription. */
  readonly attached: Map<string, ReaderAttachment>;
}

export const createDurables = (store: DurableStore): Durables => ({ store, attached: new Map() });

export interface AttachRequest {
  readonly peer: Peer;
  readonly record: DurableRecord;
  readonly ackWaitMs: number;
  readonly maxInFlight: number;
}

/** Shelves that serve the readers of durable subscriptions. */
export interface Readers extends Subscribing, CatchUpLog, Pick<Delivery, "durables">, Pick<Server, "now"> {}

/** Closes the subscription of the earlier reader, and tells that client with a `detached` frame. */
export function detachReader(context: Readers, name: string): void {
  for (const [id, { name: other, peer, subscription }] of context.durables.attached) {
    if (other !== name) continue;
    context.durables.attached.delete(id);
    if (subscription.closed) continue;
    closeSubscription(context, subscription);
    const frame = { push: "detached", protocol: "claws/2", subscriptionId: id, durable: name, reason: "taken-over" };
    peer.connection.send(JSON.stringify(frame));
  }
}

/** Gives a durable subscription a reader. Nothing is sent before `serve`. */
export function attachReader(context: Readers, request: AttachRequest): ReaderAttachment {
  const { peer, record, ackWaitMs, maxInFlight } = request;
  const { name, topic, acked } = record;
  detachReader(context, name);
  const window = createWindow(peer.connection, { acked, maxInFlight, now: () => context.now() });
  // The reader's peer id differs from its client's, so the client's own events reach it too. With `gap`, gaps are
  // always told.
  const reader: Peer = {
    ...peer,
    id: `durable:${name}`,
    connection: window.connection,
    capabilities: new Set([...peer.capabilities, "gap" as const]),
  };
  const subscription = openSubscription(context, reader, topic);
  rewind(subscription, acked);
  const attachment: ReaderAttachment = { name, peer, window, ackWaitMs, subscription };
  context.durables.attached.set(subscription.id, attachment);
  return attachment;
}

export const serve = (context: Readers, { subscription }: ReaderAttachment): void => void replay(context, subscription);

/** Longest wait, in milliseconds, before the bus tries again to send to a congested reader. */
const SAVE_RETRY_MS = 1000;

/** Sends events again whose acknowledgement is late, from the oldest on. Returns when the next check is due. */
export function redeliver(context: Readers): number {
  let next = Infinity;
  for (const [id, attachment] of context.durables.attached) {
    const { subscription, window, peer, ackWaitMs } = attachment;
    if (subscription.closed) {
      context.durables.attached.delete(id);
      continue;
    }
    const since = window.waitingSince();
    if (since === undefined) continue;
    const due = since + ackWaitMs;
    const late = due <= context.now();
    next = Math.min(next, late ? context.now() + Math.min(ackWaitMs, SAVE_RETRY_MS) : due);
    if (!late || peer.connection.congested()) continue;
    window.reset();
    attachment.subscription = restart(context, attachment);
    void catchUpWithLog(context, { subscription: attachment.subscription, replay: true });
  }
  return next;
}

/** A subscription that reads the log cannot go back, so a copy takes its place under the same id. */
function restart(context: Readers, { name, subscription }: ReaderAttachment): PeerSubscription {
  closeSubscription(context, subscription);
  const again: PeerSubscription = {
    ...subscription,
    live: false,
    position: context.durables.store.get(name)?.acked ?? subscription.position,
    closed: false,
    echoed: new Set(),
    wake: undefined,
  };
  again.peer.subscriptions.set(again.id, again);
  context.fanout.add(again);
  return again;
}

/** The refusal of a request whose record could not be stored: says when the client may try again. */
export const notStored = (cause: unknown): Refused => error("durable:write-failed", storageCode(cause));

/** Keeps a record. Calls `done` without a refusal when the record would survive a crash. */
export function saveRecord(context: Readers, record: DurableRecord, done: (refused?: Refused) => void): void {
  const save = async (): Promise<void> => {
    try {
      await context.durables.store.save(record);
    } catch (cause) {
      context.report(`durable ${record.name} was not stored: ${String(cause)}`);
      return done(notStored(cause));
    }
    return done();
  };
  void save();
}
