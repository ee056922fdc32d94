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

export interface ClusterWishes {
  /** Path of the server's program. */
  readonly binary: string;
  /** Further lines of the server's configuration. */
  readonly config?: string;
  /** How many daemons there are, each the machine of its own. */
  readonly daemons: number;
  /** Name of a further cluster, and the server that it shares with the first one, which ends it. */
  readonly shard?: { readonly name: string; readonly nats: NatsServer };
}

/** A server of NATS, and daemons that keep their log on it. */
export interface Cluster {
  readonly nats: NatsServer;
  readonly daemons: readonly Server[];
  /** A connection for what no daemon does. The cluster closes it. */
  readonly connection: NatsConnection;
  /** Messages in the stream on subjects of a pattern, and all bytes of the stream. Without a pattern, all messages. */
  readonly stored: (pattern?: string) => Promise<{ readonly messages: number; readonly bytes: number }>;
  readonly close: () => Promise<void>;
}

async function startDaemons(folder: string, count: number, cluster: readonly string[]): Promise<Server[]> {
  const daemons: Server[] = [];
  try {
    while (daemons.length < count) {
      const flags = [...cluster, "--machine", `m${daemons.length + 1}`];
      daemons.push(await startServer("relaxed", folder, { flags }));
    }
    return daemons;
  } catch (error) {
    for (const daemon of daemons) await daemon.stop();
    throw error;
  }
}

function startNats(folder: string, binary: string, config: string): Promise<NatsServer> {
  mkdirSync(folder);
  return startNatsServer({ folder, binary, config });
}

/** Starts a server and daemons below a folder, all on this machine. */
export async function openCluster(
  folder: string,
  { binary, config = "", daemons: count, shard }: ClusterWishes,
): Promise<Cluster> {
  const name = shard?.name ?? CLUSTER;
  const nats = shard?.nats ?? (await startNats(join(folder, "nats"), binary, config));
  const daemons = await startDaemons(folder, count, ["--bus", nats.url, "--cluster", name]);
  const connection = await connect({ servers: nats.url });
  const manager = await jetstreamManager(connection);
  return {
    nats,
    daemons,
    connection,
    stored: async (pattern = `claw.${name}.>`) => {
      const { state } = await manager.streams.info(`claw_${name}`, { subjects_filter: pattern });
      const counts = Object.values(state.subjects ?? {});
      return { messages: counts.reduce((sum, each) => sum + each, 0), bytes: state.bytes };
    },
    close: async () => {
      await connection.close();
      for (const daemon of daemons) await daemon.stop();
      if (shard === undefined) await nats.kill("SIGTERM");
    },
  };
}
