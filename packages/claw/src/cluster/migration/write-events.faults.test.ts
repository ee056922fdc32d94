import type { JetStreamManager } from "@nats-io/jetstream";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import type { StoredEvent } from "../../bus/index.ts";
import { ensureStream } from "../stream-log/stream-config.ts";
import { createSubjects, streamName } from "../stream-log/subjects.ts";
import { startCutProxy } from "../testing/cut-proxy.ts";
import type { NatsSuite } from "../testing/nats-suite.ts";
import { describeOnNats } from "../testing/nats-suite.ts";
import { openConnection } from "../connection/open-connection.ts";
import { readRange } from "./read-range.ts";
import { writeEvents } from "./write-events.ts";

const EVENTS = 3000;
const MIB = 1024 * 1024;

const eventAt = (sequence: number): StoredEvent => ({
  topic: `note.n${sequence}`,
  from: "p_000001",
  tsServer: "2026-01-01T00:00:00.000Z",
  payload: String(sequence),
  sequence,
});

interface Copying {
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly cluster: string;
}

/** Calls `halfway` once, in the middle of the events. */
async function copy({ nats, manager, cluster }: Copying, halfway: () => Promise<void> = () => Promise.resolve()) {
  let isHalfway = false;
  async function* events(after: number): AsyncGenerator<StoredEvent> {
    for (let sequence = after + 1; sequence <= EVENTS; sequence += 1) {
      if (sequence === EVENTS / 2 && !isHalfway) {
        isHalfway = true;
        await halfway();
      }
      yield eventAt(sequence);
    }
  }
  const place = { nats, manager, stream: streamName(cluster), subjects: createSubjects(cluster), machine: "ann" };
  const { signal } = new AbortController();
  await writeEvents({ ...place, copy: "copy", events, through: EVENTS, stored: () => undefined, signal });
}

async function read({ nats, manager, cluster }: Copying): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  const place = { nats, manager, stream: streamName(cluster), subjects: createSubjects(cluster) };
  const { signal } = new AbortController();
  await readRange({ ...place, after: 0, through: EVENTS, take: (event) => void events.push(event), signal });
  return events;
}

const WANTED = Array.from({ length: EVENTS }, (_, index) => ({ ...eventAt(index + 1), machine: "ann" }));

async function open(suite: NatsSuite, url = suite.server().url): Promise<Copying> {
  const { nats, close } = await openConnection({ url, name: "copy" });
  onTestFinished(close);
  const manager = await jetstreamManager(nats);
  const cluster = suite.name();
  await ensureStream(manager, cluster, { bytes: 16 * MIB });
  return { nats, manager, cluster };
}

function copying(suite: NatsSuite): void {
  test("stores each event at its own sequence", async () => {
    const place = await open(suite);
    await copy(place);
    expect(await read(place)).toEqual(WANTED);
  });

  test("a connection that is lost in the middle costs no event and repeats none", async () => {
    const proxy = await startCutProxy(suite.server().port);
    onTestFinished(() => proxy.close());
    const place = await open(suite, proxy.url);
    await copy(place, async () => {
      proxy.swallowAnswers();
      await new Promise((resolve) => setImmediate(resolve));
      proxy.cut();
    });
    expect(await read(place)).toEqual(WANTED);
  });

  test("another writer ends the copy, and the copy overwrites nothing", async () => {
    const place = await open(suite);
    const { cluster } = place;
    const other = jetstream(await suite.connect());
    const copied = copy(place, async () => void (await other.publish(`claw.${cluster}.bob.note.other`, "1")));
    await expect(copied).rejects.toMatchObject({ code: "MIGRATION_TARGET_USED" });
  });

  test("a server that is killed and started again in the middle costs no event and repeats none", async () => {
    const place = await open(suite);
    await copy(place, async () => {
      await suite.server().kill();
      await suite.restart();
    });
    expect(await read(place)).toEqual(WANTED);
  });
}

describeOnNats("events that are copied into a stream", "", copying);
