import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { NatsConnection } from "@nats-io/transport-node";
import { connect } from "@nats-io/transport-node";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { startNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import type { Server } from "../bus/server.ts";
import { startServer } from "../bus/server.ts";

/** Syncs each message before it is acknowledged. */
export const SYNCED = "jetstream { sync_interval: always }\n";

export const CLUSTER = "bench";
export const STREAM = `claw_${CLUSTER}`;

export interface ClusterWishes {
  /** Path of the server's program. */
  readonly binary: string;
  /** Further lines of the server's configuration. */
  readonly config?: string;
  /** How many daemons there are, each the machine of its own. */
  readonly daemons: number;
}

/** A server of NATS, and daemons that keep their log on it. */
export interface Cluster {
  readonly nats: NatsServer;
  readonly daemons: readonly Server[];
  /** A connection for what no daemon does. The cluster closes it. */
  readonly connection: NatsConnection;
  /** Messages in the stream on subjects of a pattern, and all bytes of the stream. */
  readonly stored: (pattern: string) => Promise<{ readonly messages: number; readonly bytes: number }>;
  readonly close: () => Promise<void>;
}

async function startDaemons(folder: string, url: string, count: number): Promise<Server[]> {
  const daemons: Server[] = [];
  try {
    while (daemons.length < count) {
      const flags = ["--bus", url, "--cluster", CLUSTER, "--machine", `m${daemons.length + 1}`];
      daemons.push(await startServer("relaxed", folder, { flags }));
    }
    return daemons;
  } catch (error) {
    for (const daemon of daemons) await daemon.stop();
    throw error;
  }
}

/** Starts a server and daemons below a folder, all on this machine. */
export async function openCluster(
  folder: string,
  { binary, config = "", daemons: count }: ClusterWishes,
): Promise<Cluster> {
  const files = join(folder, "nats");
  mkdirSync(files);
  const nats = await startNatsServer({ folder: files, binary, config });
  const daemons = await startDaemons(folder, nats.url, count);
  const connection = await connect({ servers: nats.url });
  const manager = await jetstreamManager(connection);
  return {
    nats,
    daemons,
    connection,
    stored: async (pattern) => {
      const { state } = await manager.streams.info(STREAM, { subjects_filter: pattern });
      const counts = Object.values(state.subjects ?? {});
      return { messages: counts.reduce((sum, each) => sum + each, 0), bytes: state.bytes };
    },
    close: async () => {
      await connection.close();
      for (const daemon of daemons) await daemon.stop();
      await nats.kill("SIGTERM");
    },
  };
}
