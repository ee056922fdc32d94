import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { createInbox } from "@nats-io/transport-node";

const HEARTBEAT_NANOS = 1_000_000_000;
const CONTROL = 100;

/**
 * Follows a stream from now on by an ordered consumer with the settings that a daemon uses. Resolves with the function
 * that ends it.
 */
export async function followPlainly(
  connection: NatsConnection,
  stream: string,
  take: () => void,
): Promise<() => Promise<void>> {
  const inbox = createInbox();
  const subscription = connection.subscribe(inbox, {
    callback: (_error, message) => {
      if (message.headers?.code === CONTROL) message.respond();
      else take();
    },
  });
  const manager = await jetstreamManager(connection);
  const { name } = await manager.consumers.add(stream, {
    deliver_subject: inbox,
    deliver_policy: "new",
    ack_policy: "none",
    max_deliver: 1,
    flow_control: true,
    idle_heartbeat: HEARTBEAT_NANOS,
    mem_storage: true,
    num_replicas: 1,
  });
  return async () => {
    subscription.unsubscribe();
    await manager.consumers.delete(stream, name);
  };
}
