import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NatsConnection } from "@nats-io/transport-node";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe } from "vitest";
import { findNatsServers } from "../../../../../scripts/nats/give-nats.mjs";
import { removeFolder } from "../../files/testing/temporary-folder.ts";
import type { NatsServer } from "./nats-server.ts";
import { startNatsServer } from "./nats-server.ts";

export interface NatsSuite {
  readonly version: string;
  server(): NatsServer;
  /** Starts the server again, after it was killed. */
  restart(): Promise<void>;
  /** A new connection, closed when the suite ends. */
  connect(): Promise<NatsConnection>;
  /** A name that no other test of the suite has. */
  name(): string;
}

/**
 * Runs a suite against a server of its own, once for each version of nats-server that this machine has. Without any, the
 * suite is skipped, and its name says why.
 */
export function describeOnNats(title: string, config: string, suite: (nats: NatsSuite) => void): void {
  const found = findNatsServers();
  const servers = found.length > 0 ? found : [{ path: "", version: "is not on this machine: skipped" }];
  for (const { path, version } of servers) {
    describe.skipIf(path === "")(`${title}, nats-server ${version}`, () => {
      let running: NatsServer | undefined;
      let count = 0;
      const connections: NatsConnection[] = [];
      const folder = mkdtempSync(join(tmpdir(), "claw-nats-"));
      const server = (): NatsServer => {
        if (running === undefined) throw new Error("the server runs while tests run");
        return running;
      };
      beforeAll(async () => {
        running = await startNatsServer({ folder, binary: path, config });
      });
      afterAll(async () => {
        await Promise.all(connections.map((connection) => connection.close()));
        await running?.kill();
        removeFolder(folder);
      });
      suite({
        version,
        server,
        restart: async () => void (running = await server().restart()),
        connect: async () => {
          const connection = await connect({ servers: server().url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
          connections.push(connection);
          return connection;
        },
        name: () => `test-${(count += 1)}`,
      });
    });
  }
}
