import { onTestFinished } from "vitest";
import type { EventLog, Judges } from "../../../bus/index.ts";
import type { BusHarness } from "../../../bus/testing/bus-harness.ts";
import { createNumbers } from "../../../bus/testing/bus-harness.ts";
import type { StreamLog } from "../../../cluster/index.ts";
import * as nats from "../../../cluster/index.ts";
import type { SupervisedOptions } from "../../testing/supervised-bus.ts";
import { startSupervisedBus } from "../../testing/supervised-bus.ts";
import { holdName } from "../hold-name.ts";
import { openCompanions } from "../open-companions.ts";

/** How long a lease of these machines lasts without a renewal; a silence twice as long makes a machine gone. */
export const TTL_MS = 1500;

export interface NatsPlace {
  readonly url: string;
  readonly cluster: string;
}

/** The bus of one machine of a cluster on a real server, with short leases. Ends with the test. */
export interface NatsMachine extends BusHarness {
  readonly judges: Judges;
  /** The number that events of this machine carry. */
  readonly number: () => number;
  /** Ends without a word, as a machine that loses its power. */
  lose(): Promise<void>;
  /** Ends in order. */
  leave(): Promise<void>;
}

export interface NatsMachineOptions extends Omit<SupervisedOptions, "log" | "judges"> {
  readonly machine: string;
  /** The number of its first peer. */
  readonly first?: number;
  /** Puts other leases before those of the machine. */
  readonly alterJudges?: (judges: Judges) => Judges;
}

/** The log as an object whose methods are its own, which tests may replace. */
const plain = (log: StreamLog): EventLog => ({
  machine: log.machine,
  epoch: log.epoch,
  head: () => log.head(),
  oldest: () => log.oldest(),
  follow: (feed) => log.follow(feed),
  append: (event, listener) => log.append(event, listener),
  flush: () => log.flush(),
  read: (after) => log.read(after),
  sequenceAt: (time) => log.sequenceAt(time),
  close: () => log.close(),
});

/** The parts of a machine, as `joinCluster` opens them. */
async function openMachine({ url, cluster }: NatsPlace, machine: string, logged: () => BusHarness | undefined) {
  const report = (): void => undefined;
  const connection = await nats.openConnection({ url, name: machine, inboxPrefix: nats.inboxOf(cluster, machine) });
  const names = nats.bucketNames(cluster);
  const bucket = await nats.openNatsBucket(connection.nats, { name: names.leases, ttlMs: TTL_MS });
  const facts = await nats.openNatsBucket(connection.nats, { name: names.facts });
  const leases = nats.createLeases(bucket, { ttlMs: TTL_MS });
  const numbers = nats.createLeaseNumbers({ leases, facts, logged: () => logged()?.bus.host.fence });
  const key = nats.ownLeaseKey(machine, "name");
  const name = await holdName({ leases, numbers, machine, holder: machine, report, key });
  const ignored = [name.check];
  const log = await nats.openStreamLog(connection, {
    cluster,
    machine,
    report,
    number: name.number,
    ignored: () => ignored.forEach((check) => check()),
    limits: { bytes: 16 * 1024 * 1024 },
  });
  const open = { nats, connection, names, replicas: 1, cluster, machine };
  const touch = (): void => void logged()?.bus.checkDue();
  const companionship = { leases, numbers, log, touch, isHeard: () => true, report };
  const { decide, onces, router, close } = await openCompanions(open, companionship);
  ignored.push(onces.check);
  const { silenceOf, close: deaf } = await nats.watchMachines(bucket, { leaseMs: TTL_MS });
  const judges: Judges = {
    begin: () => name.settle(),
    once: onces.mandate,
    isGone: (other) => (silenceOf(other) ?? 0) > 2 * TTL_MS,
    decide,
  };
  let isOver = false;
  const lose = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await connection.close();
    await log.close();
  };
  const leave = async (): Promise<void> => {
    if (isOver) return;
    await close();
    deaf();
    await log.close();
    await name.release();
    await lose();
  };
  return { log, judges, router, number: name.number, lose, leave };
}

export async function startNatsMachine(place: NatsPlace, options: NatsMachineOptions): Promise<NatsMachine> {
  const { machine, first = 0, alterJudges = (judges) => judges, ...more } = options;
  let harness: BusHarness | undefined;
  const { log, judges, router, number, lose, leave } = await openMachine(place, machine, () => harness);
  onTestFinished(() => leave());
  harness = await startSupervisedBus({
    report: () => undefined,
    ids: createNumbers(first),
    ...more,
    log: plain(log),
    router,
    judges: alterJudges(judges),
  });
  const end = (how: () => Promise<void>) => (): Promise<void> => {
    harness?.stop();
    return how();
  };
  return { ...harness, judges, number, lose: end(lose), leave: end(leave) };
}
