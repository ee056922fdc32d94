import { expect, test } from "vitest";
import type { EventLog, LeaseMark, StoredEvent } from "../../bus/index.ts";
import { createFence, IGNORED } from "../../bus/index.ts";
import { append, collect, event } from "../../bus/log/log.conformance.ts";
import { until } from "../../process/testing/until.ts";
import { openNatsBucket } from "../buckets/nats-bucket.ts";
import type { ClusterConnection } from "../connection/open-connection.ts";
import { openConnection } from "../connection/open-connection.ts";
import { openStreamLog } from "../stream-log/open-stream-log.ts";
import { describeOnNats } from "../testing/nats-suite.ts";
import { createLeases } from "./create-leases.ts";

const ROUNDS = 1000;
const TTL_MS = 60_000;

interface Holder {
  readonly log: EventLog;
  readonly lease: LeaseMark;
}

/** A projection that takes in what a log's feed brings: the events that count. */
function project(log: EventLog): { readonly counted: number[]; readonly brought: { count: number } } {
  const fence = createFence();
  const counted: number[] = [];
  const brought = { count: 0 };
  log.follow((stored) => {
    brought.count += 1;
    if (!fence.admits(stored)) return IGNORED;
    counted.push(stored.sequence);
    return 0;
  });
  return { counted, brought };
}

/** The events that count, by the definition: none comes behind one with a higher number. */
function countedOf(events: readonly StoredEvent[]): number[] {
  let highest = 0;
  return events.flatMap(({ lease, sequence }) => {
    const number = lease?.number ?? 0;
    if (number < highest) return [];
    highest = number;
    return [sequence];
  });
}

describeOnNats("a lease that two daemons race for", "", (nats) => {
  test(`${ROUNDS} times: every projection ignores what the one before writes late, and what both write is stored once`, async () => {
    const cluster = nats.name();
    const connections: ClusterConnection[] = [];
    const open = async (machine: string) => {
      const connection = await openConnection({ url: nats.server().url, name: machine });
      connections.push(connection);
      const bucket = await openNatsBucket(connection.nats, { name: `${cluster}_leases`, ttlMs: TTL_MS });
      const limits = { bytes: 16 * 1024 * 1024 };
      const log = await openStreamLog(connection, { cluster, machine, limits, report: () => undefined });
      return { leases: createLeases(bucket, { ttlMs: TTL_MS }), log };
    };
    const machines = [await open("one"), await open("two")] as const;
    const projections = machines.map(({ log }) => project(log));
    const failures = new Set<unknown>();
    const write = async (by: Holder, topic: string, id?: string): Promise<void> => {
      const sent = id === undefined ? {} : { sent: { id, body: "" } };
      try {
        await append(by.log, { ...event(topic), from: "server", lease: by.lease, ...sent });
      } catch (error) {
        failures.add((error as { readonly code?: unknown }).code);
      }
    };
    let before: Holder | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      const taken = await Promise.all(machines.map(({ leases }, index) => leases.acquire("race", `m${index}`)));
      const index = taken.findIndex((lease) => lease !== undefined) as 0 | 1;
      expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
      const number = taken[index]?.fence ?? 0;
      const holder = { log: machines[index].log, lease: { key: "once.race", number } };
      // The holder before believes to hold the lease still, does the same, and more.
      const late = before;
      await Promise.all([
        write(holder, `holds.${round}`),
        ...(late === undefined ? [] : [write(late, `both.${round}`, `once-${round}`)]),
        write(holder, `both.${round}`, `once-${round}`),
        ...(late === undefined ? [] : [write(late, `late.${round}`)]),
      ]);
      before = holder;
      await taken[index]?.release();
    }
    expect([...failures]).toEqual(["MACHINE_NAME_TAKEN"]);
    // A busy server may answer a read too late.
    const events = await until("the log to be read", () => collect(machines[0].log).catch(() => undefined));
    await until("both feeds to bring all", () => projections.every(({ brought }) => brought.count >= events.length));
    const counted = countedOf(events);
    expect(counted.length).toBeLessThan(events.length);
    for (const projection of projections) expect(projection.counted).toEqual(counted);
    const topics = events.filter(({ sequence }) => counted.includes(sequence)).map(({ topic }) => topic);
    // What a holder writes counts, and what two daemons write under one id counts once.
    for (const kind of ["holds", "both"]) {
      const own = topics.filter((topic) => topic.startsWith(`${kind}.`));
      expect(own).toEqual([...new Set(own)]);
      expect(own).toHaveLength(ROUNDS);
    }
    await Promise.all(machines.map(({ log }) => log.close()));
    await Promise.all(connections.map((connection) => connection.close()));
  }, 120_000);
});
