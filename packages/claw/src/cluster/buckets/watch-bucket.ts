import type { ConsumerMessages, JetStreamClient, JsMsg } from "@nats-io/jetstream";
import { DeliverPolicy } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { BucketChange, BucketWatch } from "./bucket.ts";

/** Wait, in milliseconds, before the next attempt to begin again. */
const AGAIN_MS = 1000;

export interface BucketWatchOptions {
  readonly name: string;
  readonly pattern: string;
  readonly changed: (change: BucketChange) => void;
}

const OPERATION = "KV-Operation";

function toChange(message: JsMsg, name: string): BucketChange {
  const isRemoved = message.headers?.has(OPERATION) === true;
  return {
    key: message.subject.slice(`$KV.${name}.`.length),
    value: isRemoved ? undefined : message.string(),
    revision: message.seq,
  };
}

/** Reads the newest message of each key and then the next ones. Resolves when the newest ones were given. */
async function follow(
  client: JetStreamClient,
  { name, pattern, changed }: BucketWatchOptions,
): Promise<ConsumerMessages> {
  const consumer = await client.consumers.get(`KV_${name}`, {
    filter_subjects: `$KV.${name}.${pattern}`,
    deliver_policy: DeliverPolicy.LastPerSubject,
  });
  const { num_pending: pending } = await consumer.info(true);
  let left = pending;
  let caughtUp: () => void = () => undefined;
  const atEnd = new Promise<void>((resolve) => (caughtUp = resolve));
  const messages = await consumer.consume({
    callback: (message) => {
      const change = toChange(message, name);
      // The newest values of the beginning include removals, which tell a new reader nothing.
      if (left <= 0 || change.value !== undefined) changed(change);
      left -= 1;
      if (left <= 0 || message.info.pending === 0) caughtUp();
    },
  });
  if (pending > 0) await atEnd;
  return messages;
}

/** Follows a bucket, and begins again after each lost connection. Rejects when it cannot be followed at first. */
export async function watchBucket(
  connection: NatsConnection,
  client: JetStreamClient,
  options: BucketWatchOptions,
): Promise<BucketWatch> {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let messages = await follow(client, options);
  const begin = async (): Promise<void> => {
    clearTimeout(timer);
    messages.stop();
    if (isClosed || connection.isClosed()) return;
    try {
      messages = await follow(client, options);
      if (isClosed) messages.stop();
    } catch {
      timer = setTimeout(() => void begin(), AGAIN_MS).unref();
    }
  };
  const stopped = connection.status();
  void (async () => {
    for await (const status of stopped) {
      if (isClosed) return;
      if (status.type === "reconnect") await begin();
    }
  })();
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      messages.stop();
    },
  };
}
