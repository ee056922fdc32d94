import type { JetStreamManager } from "@nats-io/jetstream";
import { JetStreamApiError, jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { natsError } from "../connection/nats-errors.ts";
import { askSyncMode } from "../connection/sync-mode.ts";
import { createSubjects, streamName } from "../stream-log/subjects.ts";
import type { NatsFacts } from "./nats-facts.ts";

export interface FactsRequest {
  readonly url: string;
  readonly cluster: string;
  /** Monitoring addresses of the servers, such as `http://127.0.0.1:8222`. */
  readonly monitors: readonly string[];
}

const ANSWER_MS = 3000;
/** Stands for all other machines. */
const OTHER_MACHINE = "another-machine-that-does-not-exist";
/** An expected sequence beyond every log: NATS refuses the message and stores nothing. */
const NO_SEQUENCE = Number.MAX_SAFE_INTEGER;

const orUndefined = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (natsError("ask_nats", "NATS", error).code === "NATS_UNREACHABLE") return undefined;
    if (error instanceof JetStreamApiError) return undefined;
    throw error;
  }
};

async function accountOf(manager: JetStreamManager): Promise<NatsFacts["jetStream"]> {
  const account = await orUndefined(manager.getAccountInfo());
  return account === undefined ? undefined : { bytes: account.storage, maxBytes: account.limits.max_storage };
}

/** The log, and how far the server's clock is ahead when the server says its time, as it does since 2.10. */
async function streamOf(manager: JetStreamManager, cluster: string) {
  const sentAt = Date.now();
  const info = await orUndefined(manager.streams.info(streamName(cluster)));
  const receivedAt = Date.now();
  if (info === undefined) return { stream: undefined, clockAheadMs: undefined };
  const { config, state, ts }: { readonly ts?: string } & typeof info = info;
  const told = ts === undefined ? Number.NaN : Date.parse(ts);
  return {
    stream: { name: config.name, replicas: config.num_replicas, bytes: state.bytes, maxBytes: config.max_bytes },
    clockAheadMs: Number.isNaN(told) ? undefined : Math.round(told - (sentAt + receivedAt) / 2),
  };
}

/** Tries to publish as another machine, in a way that stores nothing when the servers permit it. */
async function tryAsOther(connection: NatsConnection, cluster: string): Promise<NatsFacts["actsAsOthers"]> {
  const subject = createSubjects(cluster).of(OTHER_MACHINE, "probe");
  try {
    await jetstream(connection, { timeout: ANSWER_MS }).publish(subject, "", {
      expect: { lastSequence: NO_SEQUENCE, streamName: streamName(cluster) },
    });
    return "allowed";
  } catch (error) {
    if (error instanceof JetStreamApiError) return "allowed";
    return natsError("probe", subject, error).code === "NATS_REFUSED" ? "refused" : "unknown";
  }
}

/** Asks the servers what `claw doctor` tells of them. Changes nothing. Rejects when the connection is lost meanwhile. */
export async function collectNatsFacts(connection: NatsConnection, request: FactsRequest): Promise<NatsFacts> {
  const { url, cluster, monitors } = request;
  const manager = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false });
  const [jetStream, log, sync] = await Promise.all([
    accountOf(manager),
    streamOf(manager, cluster),
    Promise.all(monitors.map(askSyncMode)),
  ]);
  const actsAsOthers = log.stream === undefined ? "unknown" : await tryAsOther(connection, cluster);
  return { url, version: connection.info?.version ?? "unknown", jetStream, ...log, sync, actsAsOthers };
}
