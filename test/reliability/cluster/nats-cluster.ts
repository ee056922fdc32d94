import { join } from "node:path";
import type { NatsServer } from "../../../packages/claw/src/cluster/testing/nats-server.ts";
import { startNatsServer } from "../../../packages/claw/src/cluster/testing/nats-server.ts";
import type { Network } from "./networks/network.ts";
import { freePort } from "../../free-port.ts";

const COUNT = 3;

export interface ClusterOptions {
  readonly folder: string;
  readonly network: Network;
  /** Path of nats-server. */
  readonly binary: string;
}

/** Another program may take a port before a server listens on it. */
const TRIES = 3;

/** Starts three servers that keep each event. The caller ends them. */
export async function startNatsCluster(options: ClusterOptions): Promise<NatsServer[]> {
  for (let tries = 1; ; tries += 1) {
    const started = await Promise.allSettled(
      startOn(await Promise.all(Array.from({ length: COUNT }, freePort)), options),
    );
    const servers = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    if (servers.length === COUNT) return servers;
    await Promise.all(servers.map((server) => server.kill()));
    const failed = started.find((each) => each.status === "rejected");
    if (tries === TRIES) throw new Error("three servers could not be started", { cause: failed?.reason });
  }
}

/** Starts a server for each port, on which the others reach it. */
function startOn(ports: readonly number[], { folder, network, binary }: ClusterOptions): Promise<NatsServer>[] {
  const { within, address } = network;
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(", ");
  const start = (port: number, index: number): Promise<NatsServer> => {
    // The servers do not tell clients of each other, so that every client stays on its link.
    const cluster = `cluster { name: test, listen: "127.0.0.1:${port}", no_advertise: true, routes: [${routes}] }`;
    const config = `server_name: n${index}\n${cluster}\n`;
    return startNatsServer({ folder: join(folder, `n${index}`), config, within, address, binary });
  };
  return ports.map(start);
}
