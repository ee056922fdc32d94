import { lookFor } from "../../../packages/claw/src/process/testing/until.ts";
import type { Random } from "../random.ts";
import type { DurableReader, Writer } from "./clients.ts";
import { startDurableReader, startReader, startWriter } from "./clients.ts";
import type { World } from "./faults.ts";
import { CLOCKS, planFaults, runFault } from "./faults.ts";
import type { Machine } from "./machine.ts";
import { startMachine } from "./machine.ts";
import type { ClusterOptions } from "./nats-cluster.ts";
import { startNatsCluster } from "./nats-cluster.ts";

export interface FaultPlan extends ClusterOptions, Pick<World, "longestMs"> {
  readonly faults: number;
  readonly random: Random;
  /** Pause of a writer between two events. */
  readonly pauseMs: number;
}

const MACHINES = ["one", "two", "three"];
/** Each writer has so many events stored after a fault before the next one comes. */
const EVENTS_BETWEEN = 5;
/** How many faults a durable reader stays on one machine. */
const STAY = 3;
const PATIENCE_MS = 110_000;

/** What a run of faults has shown. */
export interface FaultResult {
  readonly faults: readonly string[];
  /** By reader, what it saw: cursor, writer and number. */
  readonly readers: readonly (readonly string[])[];
  /** Cursor, writer and number of each receipt. */
  readonly receipts: readonly string[];
  readonly said: number;
  readonly durable: { readonly seen: number; readonly twice: readonly string[] };
}

interface Clients {
  readonly writers: readonly Writer[];
  readonly readers: readonly (readonly string[])[];
  readonly durable: DurableReader;
}

async function startWorld(plan: FaultPlan, onEnd: (end: () => Promise<void>) => void): Promise<World> {
  const { network, random, longestMs } = plan;
  onEnd(() => network.close());
  const servers = await startNatsCluster(plan);
  onEnd(async () => {
    await Promise.all(servers.map((server) => server.kill()));
  });
  const ports = servers.map(({ port }) => port);
  const machines: Machine[] = [];
  for (const [index, name] of MACHINES.entries()) {
    machines.push(await startMachine(name, await network.openLink(ports), CLOCKS[index] ?? 0));
  }
  return { servers, machines, random, longestMs };
}

function startClients({ machines }: World, pauseMs: number): Clients {
  const writers = machines.map((machine) => startWriter(machine, pauseMs));
  return { writers, readers: machines.map(startReader), durable: startDurableReader() };
}

/** How far the clients have come, for the message of a failure. */
const standOf = ({ writers, readers, durable }: Clients): string =>
  JSON.stringify({
    receipts: writers.map(({ taken }) => taken.size),
    readers: readers.map((seen) => [seen.length, seen.at(-1)]),
    durable: [durable.seen.size, durable.ends],
  });

/** Fails with what the clients have come to when it does not happen in time. */
async function wait(what: string, clients: Clients, happened: () => boolean): Promise<void> {
  if ((await lookFor(happened, { patienceMs: PATIENCE_MS })) !== true) {
    throw new Error(`waited in vain for ${what}: ${standOf(clients)}`);
  }
}

/** Lets the faults happen, one after another, while the clients go on. Returns those that happened. */
async function disturb(world: World, clients: Clients, plan: FaultPlan): Promise<readonly string[]> {
  const { writers, durable } = clients;
  const done: string[] = [];
  for (const [index, fault] of planFaults(plan.faults, plan.random).entries()) {
    if (index % STAY === 0) durable.moveTo(plan.random.pick(world.machines));
    const count = done.filter((name) => name === fault).length;
    done.push(fault);
    const name = `CLAW_SEED=${plan.random.seed}, fault ${done.length}, ${fault}`;
    await runFault(fault, world, count).catch((cause: unknown) => {
      throw new Error(`${name}: ${String(cause)}`, { cause });
    });
    const before = writers.map(({ taken }) => taken.size);
    await wait(`events to be stored after ${name}`, clients, () =>
      writers.every(({ taken }, writer) => taken.size > (before[writer] ?? 0) + EVENTS_BETWEEN),
    );
  }
  return done;
}

/** Runs faults under load, lets all settle, and says what each client saw. */
export async function runFaults(plan: FaultPlan, onEnd: (end: () => Promise<void>) => void): Promise<FaultResult> {
  const world = await startWorld(plan, onEnd);
  const clients = startClients(world, plan.pauseMs);
  const { writers, readers, durable } = clients;
  const faults = await disturb(world, clients, plan);
  const said = (await Promise.all(writers.map((writer) => writer.stop()))).reduce((sum, count) => sum + count, 0);
  durable.moveTo(plan.random.pick(world.machines));
  await wait(`all readers to have all ${said}, CLAW_SEED=${plan.random.seed}`, clients, () =>
    [...readers.map((seen) => seen.length), durable.seen.size].every((count) => count >= said),
  );
  const receipts = writers.flatMap(({ taken }) => [...taken].map(([what, { cursor }]) => `${cursor} ${what}`));
  return { faults, readers, receipts, said, durable: { seen: durable.seen.size, twice: durable.twice } };
}
