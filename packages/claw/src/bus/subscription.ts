import { matchSegments } from "@claw/contract";
import type { EventLog, StoredEvent } from "./log/index.ts";
import type { Peer } from "./peer.ts";
import { pushHead } from "./wire.ts";

/** Who gets which events, and how far it is. */
export interface Subscription {
  readonly id: string;
  readonly peer: Peer;
  readonly pattern: readonly string[];
  /** Live subscriptions are sent events as they are committed; others read the log until they have caught up. */
  live: boolean;
  /** While not live: everything up to here was sent or did not match. */
  position: number;
  closed: boolean;
  /** Own events that asked to come back while the subscription was behind. */
  readonly echoed: Set<number>;
  /** Wakes the reader that waits for its client. */
  wake: (() => void) | undefined;
}

export const matches = (subscription: Subscription, topic: string): boolean =>
  matchSegments(subscription.pattern, topic.split("."));

export const cursorOf = (log: EventLog, sequence: number): string => `${log.epoch}:${sequence}`;

/** The end of a push frame, which tells a client that asked for it where it is. */
export function pushTail({ id, peer }: Subscription, log: EventLog, sequence: number, replayed: boolean): string {
  const mark = replayed ? ',"replayed":true' : "";
  if (peer.capabilities.size === 0) return `${mark}}`;
  return `${mark},"subscriptionId":"${id}","cursor":"${cursorOf(log, sequence)}"}`;
}

interface CatchUp {
  readonly log: EventLog;
  readonly subscription: Subscription;
  /** True for history the client asked for, which it is told of and gets whole. */
  readonly replay: boolean;
}

/** Waits until the client takes more. False when the subscription ended meanwhile. */
async function writable(subscription: Subscription): Promise<boolean> {
  while (subscription.peer.connection.congested() && !subscription.closed) {
    await new Promise<void>((resolve) => {
      subscription.wake = resolve;
    });
  }
  return !subscription.closed;
}

/** Tells of events that retention removed before they could be read. */
function skipGap({ log, subscription }: CatchUp): void {
  const oldest = log.oldest();
  if (subscription.position + 1 >= oldest) return;
  const { peer, id, position } = subscription;
  if (peer.capabilities.has("gap")) {
    const gap = { from: cursorOf(log, position), to: cursorOf(log, oldest - 1), reason: "retention" };
    peer.connection.send(JSON.stringify({ push: "gap", protocol: "claws/2", subscriptionId: id, ...gap }));
  }
  subscription.position = oldest - 1;
}

/** An own event is left out unless it was to come back or the client asked for history. */
function wanted({ subscription, replay }: CatchUp, event: StoredEvent): boolean {
  if (!matches(subscription, event.topic)) return false;
  return replay || event.from !== subscription.peer.id || subscription.echoed.delete(event.sequence);
}

async function sendBatch(catchUp: CatchUp, events: readonly StoredEvent[]): Promise<number> {
  const { log, subscription, replay } = catchUp;
  let sent = 0;
  for (const event of events) {
    if (wanted(catchUp, event)) {
      const tail = pushTail(subscription, log, event.sequence, replay);
      subscription.peer.connection.send(pushHead(event, Date.now()) + tail);
      sent += 1;
      if (subscription.peer.connection.congested() && !(await writable(subscription))) return sent;
    }
    subscription.position = event.sequence;
  }
  return sent;
}

/**
 * Serves a subscription from the log until it has caught up, then makes it live in the same turn of the loop, so
 * that no event is lost or sent twice. Resolves with how many events were sent.
 */
export async function catchUpWithLog(catchUp: CatchUp): Promise<number> {
  const { log, subscription } = catchUp;
  let sent = 0;
  while (await writable(subscription)) {
    skipGap(catchUp);
    const { events, through } = await log.read(subscription.position);
    if (subscription.closed) break;
    sent += await sendBatch(catchUp, events);
    subscription.position = Math.max(subscription.position, through);
    if (subscription.position >= log.head() && !subscription.closed) {
      subscription.live = true;
      break;
    }
    // Others get their turn between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return sent;
}
