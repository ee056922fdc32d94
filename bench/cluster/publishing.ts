import type { NatsConnection } from "@nats-io/transport-node";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { logEntry } from "../bus/client.ts";
import type { Contender } from "../bus/rounds.ts";
import { against, inRounds, medianOf } from "../bus/rounds.ts";
import { WINDOW } from "../bus/sizes.ts";
import type { Throughput } from "../bus/throughput.ts";
import { closeLoad, measureThroughput, openLoad } from "../bus/throughput.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { withTempFolder } from "../temp-folder.ts";
import type { Cluster } from "./open-cluster.ts";
import { CLUSTER, openCluster, SYNCED } from "./open-cluster.ts";
import { SIZES } from "./sizes.ts";

const PLAIN_STREAM = "plain";
const PLAIN_SUBJECT = "plain.worker.p_000001.event";

/** Keeps a window of publishes unacknowledged. */
function pumpPlain(connection: NatsConnection, events: number): Promise<void> {
  const stream = jetstream(connection);
  return new Promise((resolve, reject) => {
    let sent = 0;
    let acked = 0;
    const acknowledged = (): void => {
      acked += 1;
      if (acked === events) resolve();
      else if (sent < events) next();
    };
    const next = (): void => {
      sent += 1;
      stream.publish(PLAIN_SUBJECT, logEntry("p_000001")).then(acknowledged, reject);
    };
    for (let open = 0; open < Math.min(WINDOW, events); open += 1) next();
  });
}

/** The client of NATS, without anything of claw: publishes into a stream that no program follows. */
async function plainContender({ connection }: Cluster, events: number): Promise<Contender<Throughput>> {
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: PLAIN_STREAM, subjects: ["plain.>"], storage: "file" });
  return {
    name: "plain",
    measure: async () => {
      const startedAt = performance.now();
      await pumpPlain(connection, events);
      const seconds = (performance.now() - startedAt) / 1000;
      return { perSecond: events / seconds, cpuMicros: Number.NaN };
    },
  };
}

/** Throws unless each acknowledged event is in the stream, and once. */
async function requireStored({ stored }: Cluster, events: number): Promise<void> {
  const { messages } = await stored(`claw.${CLUSTER}.*.worker.*.event`);
  if (messages !== events) throw new Error(`${events} events were acknowledged, ${messages} are stored`);
}

interface Mode {
  readonly binary: string;
  readonly config: string;
  readonly events: number;
  /** How the server syncs, in words. */
  readonly named: string;
}

async function measureMode(folder: string, { binary, config, events, named }: Mode): Promise<Row[]> {
  const cluster = await openCluster(folder, { binary, config, daemons: 1 });
  try {
    const [daemon] = cluster.daemons;
    if (daemon === undefined) throw new Error("no daemon runs");
    const load = await openLoad(daemon, 0);
    const claw = { name: "claw", measure: () => measureThroughput(load, events, WINDOW) };
    const results = await inRounds([await plainContender(cluster, events), claw]);
    closeLoad(load);
    await requireStored(cluster, events * (1 + (results.get("claw") ?? []).length));
    const rate = ({ perSecond }: Throughput): number => perSecond;
    const name = `durable publish, window ${WINDOW}, ${named}`;
    return [
      row(`${name}, NATS client`, medianOf(results, "plain", rate), "events/s"),
      row(`${name}, claw`, medianOf(results, "claw", rate), "events/s"),
      row(`${name}, claw`, against(results, ["claw", "plain"], rate), "× NATS client", { atLeast: 0.6 }),
      row(
        `${name}, the daemon for an event`,
        medianOf(results, "claw", ({ cpuMicros }) => cpuMicros),
        "µs",
      ),
    ];
  } finally {
    await cluster.close();
  }
}

/** What an event costs that is stored through a daemon, against the client of NATS alone, in both ways to sync. */
export async function publishing(binary: string, progress: Progress): Promise<Row[]> {
  const modes: readonly Mode[] = [
    { binary, config: "", events: SIZES.events, named: "synced later" },
    { binary, config: SYNCED, events: SIZES.syncedEvents, named: "synced at once" },
  ];
  const rows: Row[] = [];
  for (const mode of modes) {
    progress(`publishing with a window of ${WINDOW}, ${mode.named}`);
    rows.push(...(await withTempFolder((folder) => measureMode(folder, mode))));
  }
  return rows;
}
