import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { ClawError } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { findNatsServers } from "../../scripts/nats/give-nats.mjs";
import type { StoredEvent } from "../../packages/claw/src/bus/index.ts";
import {
  bucketNames,
  openClusterStore,
  openConnection,
  openNatsBucket,
} from "../../packages/claw/src/cluster/index.ts";
import type { NatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { startNatsCluster } from "../reliability/cluster/nats-cluster.ts";
import { createLoopback } from "../reliability/cluster/networks/loopback.ts";
import { beginClaw, startDaemon } from "./daemon-process.ts";
import { effort } from "./effort.ts";
import { logText, putLog } from "./migration-scene.ts";
import { clawJson } from "./run-claw.ts";
import type { Body } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

const EVENTS = 30_000;
const LEADERLESS = "NATS_UNREACHABLE";

/** Three servers, of which the one that leads the stream can be killed and started again. */
async function startServers(binary: string) {
  const folder = temporaryFolder(onTestFinished);
  const servers: NatsServer[] = await startNatsCluster({ folder, network: createLoopback(), binary });
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.kill()));
  });
  const hosts = servers.map(({ url }) => url.replace("nats://", ""));
  const client = await connect({ servers: hosts, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  onTestFinished(() => client.close());
  const manager = await jetstreamManager(client, { checkAPI: false });
  await until("the servers to take streams", async () => {
    const probe = { name: "probe", subjects: ["probe"], num_replicas: servers.length };
    return (await manager.streams.add(probe).catch(() => undefined)) !== undefined;
  });
  const look = () => manager.streams.info("claw_team").catch(() => undefined);
  return {
    url: `nats://${hosts.join(",")}`,
    look,
    /** Kills the leader of the stream. Starts it again when another server leads. */
    changeLeader: async (): Promise<void> => {
      const before = await until("the stream to have a leader", async () => (await look())?.cluster?.leader);
      const index = Number(before.slice(1));
      const leader = servers[index];
      if (leader === undefined) throw new Error(`${before} is no server of this test`);
      await leader.kill();
      await until("another server to lead", async () => ((await look())?.cluster?.leader ?? before) !== before);
      servers[index] = await leader.restart();
    },
  };
}

const eventAt = (sequence: number): StoredEvent => ({
  sequence,
  topic: "note.count",
  from: "p_000001",
  tsServer: "2026-01-01T00:00:00.000Z",
  payload: String(sequence),
});

/** Servers that have just begun have no leader yet. */
const insistOn = <T>(what: string, ask: () => Promise<T>): Promise<T> =>
  until(what, () =>
    ask().catch((error: unknown) => {
      if (error instanceof ClawError && error.retryable) return undefined;
      throw error;
    }),
  );

/** Calls again what NATS could not do for now, as a caller does who reads `retryable`. */
async function insist(call: () => Promise<Body>): Promise<Body> {
  for (;;) {
    const body = await call();
    if ((body.error as { code?: string } | undefined)?.code !== LEADERLESS) return body;
  }
}

/** The newest server; all in `npm run soak`. */
const SERVERS = findNatsServers().slice(effort(-1, 0));

describe.each(SERVERS)(
  "a log that moves while the stream gets another leader, three nats-servers $version",
  ({ path }) => {
    test("is taken by the new leader where the old one stopped, in the same call", async () => {
      const { url, changeLeader } = await startServers(path);
      const connection = await openConnection({ url, name: "ann" });
      onTestFinished(() => connection.close());
      const bucket = { name: bucketNames("team").facts, replicas: 3 };
      const facts = await insistOn("a bucket", () => openNatsBucket(connection.nats, bucket));
      const { signal } = new AbortController();
      const store = await openClusterStore(connection, { cluster: "team", machine: "ann", facts, signal });
      await insistOn("the stream", () => store.make({ first: 1, bytes: 1e6, replicas: 3 }));
      let changed = 0;
      const events = async function* (after: number): AsyncGenerator<StoredEvent> {
        for (let sequence = after + 1; sequence <= EVENTS; sequence += 1) {
          if (sequence > EVENTS / 2 && (changed += 1) === 1) await changeLeader();
          yield eventAt(sequence);
        }
      };
      await store.write({ copy: "copy-0001", events, through: EVENTS, stored: () => undefined });
      const read: number[] = [];
      await store.read({ after: 0, through: EVENTS }, ({ payload }) => void read.push(Number(payload)));
      expect(read).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1));
    });

    test("is in the stream, and then in the folder again, with each event once and to the byte", async () => {
      const { url, look, changeLeader } = await startServers(path);
      const workspace = createWorkspace();
      const text = putLog(workspace, EVENTS);
      const joining = ["--bus", url, "--cluster", "team", "--machine", "ann", "--bus-replicas", "3"];
      const migrate = (to: string): string[] => ["bus", "migrate", "--to", to, ...joining, "--output-format", "json"];
      const there = beginClaw(workspace, migrate("stream"));
      await until("a part to be copied", async () => ((await look())?.state.last_seq ?? 0) > EVENTS / 4);
      await changeLeader();
      await there.ended;
      const moved = await insist(() => clawJson(workspace, migrate("stream")));
      expect(moved).toMatchObject({ last: EVENTS, events: EVENTS, cursors: "continue" });
      const info = await until("the stream to have a leader", look);
      expect([info.state.messages, info.state.last_seq]).toEqual([EVENTS, EVENTS]);
      const back = beginClaw(workspace, migrate("folder"));
      await changeLeader();
      await back.ended;
      const returned = await insist(() => clawJson(workspace, migrate("folder")));
      expect(returned).toMatchObject({ last: EVENTS, events: EVENTS, cursors: "continue" });
      expect(logText(workspace)).toBe(text);
      await startDaemon(workspace);
      const { events } = await clawJson(workspace, ["events", "--since", `0001:${EVENTS - 1}`, "--limit", "1"]);
      expect(events).toMatchObject([{ payload: { n: EVENTS } }]);
    });
  },
);
