import type { NatsConnection } from "@nats-io/transport-node";
import { headers as createHeaders } from "@nats-io/transport-node";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { logEntry, openClient, publishFrame } from "../bus/client.ts";
import { percentile } from "../bus/latency.ts";
import type { Results } from "../bus/rounds.ts";
import { against, inRounds, medianOf } from "../bus/rounds.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { withTempFolder } from "../temp-folder.ts";
import type { Helper } from "./child-process.ts";
import { startHelper } from "./child-process.ts";
import type { Cluster } from "./open-cluster.ts";
import { openCluster } from "./open-cluster.ts";
import { followPlainly } from "./plain-follower.ts";
import { sharedNow } from "./shared-clock.ts";
import { SIZES } from "./sizes.ts";

const PLAIN_STREAM = "plain";
const SUBJECT = "plain.worker.p_000001.event";

/** Events before the first round. */
const WARM_UP = 5 * SIZES.singles;

/** Publishes one event. Resolves when it is acknowledged. */
type PublishOne = () => Promise<unknown>;

/** Milliseconds from each publish to its delivery; the next is published when the last was answered and delivered. */
async function measure(reader: Helper, publish: PublishOne, count = SIZES.singles): Promise<number[]> {
  const times: number[] = [];
  while (times.length < count) {
    const delivered = reader.next();
    const sentAt = sharedNow();
    const [at] = await Promise.all([delivered, publish()]);
    times.push(Number(at) - sentAt);
  }
  return times;
}

/** A message with what a daemon puts into its own: an id, by which the server knows it again, and three headers. */
function plainPublisher(connection: NatsConnection): PublishOne {
  const stream = jetstream(connection);
  let count = 0;
  return () => {
    const body = logEntry("p_000001");
    const headers = createHeaders();
    headers.set("Claw-From", "p_000001");
    headers.set("Claw-Time", new Date().toISOString());
    headers.set("Claw-Body", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
    count += 1;
    return stream.publish(SUBJECT, body, { headers, msgID: `${process.pid}-${count}` });
  };
}

async function clawPublisher(socket: string): Promise<{ publish: PublishOne; close: () => void }> {
  const client = await openClient(socket, "worker");
  let answered = (): void => undefined;
  client.receive(() => answered());
  const publish: PublishOne = () =>
    new Promise<void>((resolve) => {
      answered = resolve;
      client.write(publishFrame(client.peerId));
    });
  return { publish, close: client.close };
}

const p50 = (times: readonly number[]): number => percentile(times, 0.5);
const p99 = (times: readonly number[]): number => percentile(times, 0.99);

/** The contenders: the client of NATS, the same whose publisher follows the stream as a daemon does, and claw. */
type Name = "plain" | "following" | "claw";

function rowsOf(results: Results<readonly number[]>): Row[] {
  const name = "publish on one machine to delivery on another";
  const value = (which: Name, valueOf: typeof p50): number => medianOf(results, which, valueOf);
  const times = (base: Name, valueOf: typeof p50): number => against(results, ["claw", base], valueOf);
  return [
    row(`${name}, p50, NATS client`, value("plain", p50), "ms"),
    row(`${name}, p50, claw`, value("claw", p50), "ms"),
    row(`${name}, p50, claw`, times("plain", p50), "× NATS client", { atMost: 2 }),
    row(`${name}, p99, claw`, value("claw", p99), "ms"),
    row(`${name}, p99, claw`, times("plain", p99), "× NATS client", { atMost: 2 }),
    row(`${name}, p50, claw`, times("following", p50), "× NATS client, both follow"),
    row(`${name}, p99, claw`, times("following", p99), "× NATS client, both follow"),
  ];
}

async function measureAll({ nats, daemons, connection }: Cluster): Promise<Row[]> {
  const [here, there] = daemons;
  if (here === undefined || there === undefined) throw new Error("two daemons have to run");
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: PLAIN_STREAM, subjects: ["plain.>"], storage: "file", allow_direct: true });
  const readers: Helper[] = [];
  const open = async (...args: string[]): Promise<Helper> => {
    const reader = await startHelper("reader", args);
    readers.push(reader);
    return reader;
  };
  const publisher = await clawPublisher(here.socket);
  try {
    const plain = plainPublisher(connection);
    const far = await open("nats", nats.url, PLAIN_STREAM);
    const claw = await open("claw", there.socket, "worker.*.event");
    const bothFollow = async (): Promise<number[]> => {
      const end = await followPlainly(connection, PLAIN_STREAM, () => undefined);
      const times = await measure(far, plain);
      await end();
      return times;
    };
    // Programs that have just started run code that is not compiled yet.
    await measure(far, plain, WARM_UP);
    await measure(claw, publisher.publish, WARM_UP);
    return rowsOf(
      await inRounds<readonly number[]>([
        { name: "plain" satisfies Name, measure: () => measure(far, plain) },
        { name: "following" satisfies Name, measure: bothFollow },
        { name: "claw" satisfies Name, measure: () => measure(claw, publisher.publish) },
      ]),
    );
  } finally {
    publisher.close();
    for (const reader of readers) await reader.end();
  }
}

/**
 * Time from a publish on one machine to the delivery on another, against the client of NATS alone. Publisher and reader
 * are processes of their own.
 */
export function delivery(binary: string, progress: Progress): Promise<Row[]> {
  progress("publish on one machine, delivery on another");
  return withTempFolder(async (folder) => {
    const cluster = await openCluster(folder, { binary, daemons: 2 });
    try {
      return await measureAll(cluster);
    } finally {
      await cluster.close();
    }
  });
}
