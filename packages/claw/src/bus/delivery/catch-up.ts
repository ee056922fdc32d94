import type { Server } from "../server.ts";
import type { Knowledge } from "../state/knowledge.ts";
import type { EventLog, LogBatch, StoredEvent } from "../log/index.ts";
import { isSentOtherwise } from "./repetition.ts";
import type { PeerSubscription } from "./subscription.ts";
import { cursorOf, gapBefore, matches, pushTail } from "./subscription.ts";
import { rememberTopics } from "./topic-memory.ts";
import { pushHead } from "../wire/wire.ts";

export interface CatchUp {
  readonly subscription: PeerSubscription;
  /**
   * True when the client asked for history: frames are marked as replayed, and the client's own events are included.
   */
  readonly replay: boolean;
}

/** The log that subscriptions read, and which of its events count. */
export interface CatchUpLog extends Pick<Server, "report">, Pick<Knowledge, "projections"> {
  readonly log: EventLog;
}

interface LogReading extends CatchUp, Pick<CatchUpLog, "log"> {
  readonly isWanted: (event: StoredEvent) => boolean;
}

/** Waits until the client takes more. False when the subscription ended meanwhile. */
async function writable(subscription: PeerSubscription): Promise<boolean> {
  while (subscription.peer.connection.congested() && !subscription.closed) {
    await new Promise<void>((resolve) => {
      subscription.wake = resolve;
    });
  }
  return !subscription.closed;
}

/** Tells of events that retention removed before they could be read, or that are missing from the files of the log. */
function tellGap({ log, subscription }: LogReading, next: number): void {
  const { peer, id, position } = subscription;
  subscription.position = next - 1;
  if (!peer.capabilities.has("gap")) return;
  const gap = gapBefore(log, position, next);
  peer.connection.send(JSON.stringify({ push: "gap", protocol: "claws/2", subscriptionId: id, ...gap }));
}

/**
 * Leaves out events that count nowhere, and the client's own events, unless the client asked for their echo or for history.
 */
function createFilter({
  subscription,
  replay,
  projections: { fence },
}: CatchUp & Pick<CatchUpLog, "projections">): (event: StoredEvent) => boolean {
  const isOnTopic = rememberTopics((topic) => matches(subscription, topic));
  return ({ topic, from, sequence }) =>
    isOnTopic(topic) &&
    !fence.isIgnored(sequence) &&
    !isSentOtherwise(subscription, topic, sequence) &&
    (replay || from !== subscription.peer.id || subscription.echoed.delete(sequence));
}

async function sendBatch(reading: LogReading, { events, through }: LogBatch): Promise<number> {
  const { log, subscription, replay, isWanted } = reading;
  let sent = 0;
  for (const event of events) {
    if (event.sequence > subscription.position + 1) tellGap(reading, event.sequence);
    if (isWanted(event)) {
      const tail = pushTail(subscription, log, event.sequence, replay);
      subscription.peer.connection.send(pushHead(event) + tail);
      sent += 1;
      if (subscription.peer.connection.congested() && !(await writable(subscription))) return sent;
    }
    subscription.position = event.sequence;
  }
  if (through > subscription.position) tellGap(reading, through + 1);
  return sent;
}

/** Serves from the log until its head is reached, one batch being read while the one before it is sent. */
async function readOn(reading: LogReading): Promise<number> {
  const { log, subscription } = reading;
  let sent = 0;
  let reached: Promise<LogBatch> | undefined;
  while (await writable(subscription)) {
    const batch = await (reached ?? log.read(subscription.position));
    if (subscription.closed) break;
    reached = batch.through < log.head() ? log.read(batch.through) : undefined;
    // The `await` of `reached` reports a failure. Until then the rejection must not count as unhandled.
    reached?.catch(() => undefined);
    sent += await sendBatch(reading, batch);
    if (subscription.position >= log.head() && !subscription.closed) {
      subscription.live = true;
      break;
    }
    // Other clients get their turn between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return sent;
}

/**
 * Serves a subscription from the log until it has caught up, then makes it live in the same turn of the loop, so
 * that no event is lost or sent twice. Resolves with how many events were sent. A client whose events cannot be read
 * is hung up on: it comes back with its cursor. Never rejects.
 */
export async function catchUpWithLog({ log, report, projections }: CatchUpLog, catchUp: CatchUp): Promise<number> {
  const { subscription } = catchUp;
  try {
    return await readOn({ ...catchUp, log, isWanted: createFilter({ ...catchUp, projections }) });
  } catch (error) {
    report(`${subscription.id} could not be served from the log: ${String(error)}`);
    subscription.closed = true;
    subscription.peer.connection.end();
    return 0;
  }
}

/** Sends history, goes live without a gap, and tells the client with a `caught-up` frame. */
export async function replay(context: CatchUpLog, subscription: PeerSubscription): Promise<void> {
  const replayedCount = await catchUpWithLog(context, { subscription, replay: true });
  if (subscription.closed) return;
  // A client that has stopped reading meanwhile may be behind again.
  const resumeCursor = cursorOf(context.log, subscription.live ? context.log.head() : subscription.position);
  const frame = {
    push: "caught-up",
    protocol: "claws/2",
    subscriptionId: subscription.id,
    replayedCount,
    resumeCursor,
  };
  subscription.peer.connection.send(JSON.stringify(frame));
}
