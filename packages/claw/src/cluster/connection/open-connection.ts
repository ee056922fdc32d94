import type { NatsConnection, NodeConnectionOptions } from "@nats-io/transport-node";
import { connect } from "@nats-io/transport-node";
import { natsError } from "./nats-errors.ts";
import type { NatsAddress } from "./nats-options.ts";
import { natsOptions } from "./nats-options.ts";

/** A connection to NATS. After a loss, the client of NATS connects again. */
export interface ClusterConnection {
  readonly nats: NatsConnection;
  /** The address as the user gave it, for messages. */
  readonly url: string;
  readonly isConnected: () => boolean;
  /** Calls the listener after each loss and each return of the connection. Returns a function that ends it. */
  onChange(listener: (connected: boolean) => void): () => void;
  /** Resolves when the connection has ended. Idempotent. */
  readonly close: () => Promise<void>;
}

export interface ConnectionWishes extends NatsAddress {
  /** The machine's name, by which the servers list the connection. */
  readonly name: string;
  /** The first part of the subjects of answers. Permissions may fix it. */
  readonly inboxPrefix?: string;
}

const CONNECT_MS = 5000;
const RECONNECT_MS = 250;
const PING_MS = 2000;
const PINGS_OUT = 3;

/**
 * Tries each given address once. A client that mends losses without end would go from one server of a cluster to the next
 * one, of which it has just heard, and would never tell that all of them refuse it. Rejects with the error of NATS.
 */
async function requireWelcome(options: NodeConnectionOptions): Promise<void> {
  const connection = await connect({ ...options, reconnect: false, ignoreClusterUpdates: true });
  await connection.close();
}

/**
 * Connects to the first server that answers. Rejects with NATS_UNREACHABLE, NATS_REFUSED, or the error of a file. Later
 * losses are mended without end.
 */
export async function openConnection(wishes: ConnectionWishes): Promise<ClusterConnection> {
  const { url, name, inboxPrefix } = wishes;
  const options = natsOptions(wishes);
  const attempt = { ...options, name: `claw ${name}`, timeout: CONNECT_MS };
  const nats = await requireWelcome(attempt)
    .then(() =>
      connect({
        ...attempt,
        reconnectTimeWait: RECONNECT_MS,
        reconnectJitter: RECONNECT_MS / 2,
        maxReconnectAttempts: -1,
        ignoreAuthErrorAbort: true,
        pingInterval: PING_MS,
        maxPingOut: PINGS_OUT,
        ...(inboxPrefix === undefined ? {} : { inboxPrefix }),
      }),
    )
    .catch((error: unknown) => {
      throw natsError("connect", url, error);
    });
  return followed(nats, url);
}

function followed(nats: NatsConnection, url: string): ClusterConnection {
  const listeners = new Set<(connected: boolean) => void>();
  let connected = true;
  const change = (now: boolean): void => {
    if (now === connected) return;
    connected = now;
    for (const listener of listeners) listener(now);
  };
  const watch = async (): Promise<void> => {
    for await (const { type } of nats.status()) {
      if (type === "disconnect" || type === "staleConnection" || type === "close") change(false);
      if (type === "reconnect") change(true);
    }
  };
  void watch();
  return {
    nats,
    url,
    isConnected: () => connected && !nats.isClosed(),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => {
      await nats.close();
      connected = false;
    },
  };
}
