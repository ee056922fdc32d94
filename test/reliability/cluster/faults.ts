import { setTimeout as delay } from "node:timers/promises";
import type { NatsServer } from "../../../packages/claw/src/cluster/testing/nats-server.ts";
import type { Random } from "../random.ts";
import type { Machine } from "./machine.ts";

/** What faults happen to. */
export interface World {
  readonly servers: NatsServer[];
  readonly machines: readonly Machine[];
  readonly random: Random;
  /** How long a process is stopped or a link is silent at most. */
  readonly longestMs: number;
}

const HOUR_MS = 3_600_000;

/** How far the clocks of machines are ahead. */
export const CLOCKS = [0, HOUR_MS, -HOUR_MS];

/** Half of the times the longest one. */
const someTime = ({ random, longestMs }: World): number =>
  random.below(2) === 0 ? longestMs : random.below(longestMs);

async function stopped(pid: number, world: World): Promise<void> {
  process.kill(pid, "SIGSTOP");
  await delay(someTime(world));
  process.kill(pid, "SIGCONT");
}

/** Kills one server after another, over all faults of a run. */
async function killServer({ servers }: World, count: number): Promise<void> {
  const index = count % servers.length;
  const server = servers[index];
  if (server === undefined) return;
  await server.kill();
  servers[index] = await server.restart();
}

/** The faults; `count` says how many of the kind there were. */
const FAULTS = {
  "cut a link": ({ machines, random }: World) => random.pick(machines).link.cut(),
  "silence a link": async (world: World) => {
    const { link } = world.random.pick(world.machines);
    await link.silence();
    await delay(someTime(world));
    await link.cut();
  },
  "stop a daemon": (world: World) => stopped(world.random.pick(world.machines).pid(), world),
  "stop a server": (world: World) => stopped(world.random.pick(world.servers).pid, world),
  "kill a server": killServer,
  "kill a daemon and shift its clock": ({ machines, random }: World) => {
    const machine = random.pick(machines);
    return machine.restart(random.pick(CLOCKS.filter((clock) => clock !== machine.clockMs())));
  },
} satisfies Readonly<Record<string, (world: World, count: number) => Promise<void>>>;

export type Fault = keyof typeof FAULTS;

/** The faults of twenty, each kind at least once. A daemon that was killed starts when its lease is over. */
const TWENTY: Readonly<Record<Fault, number>> = {
  "cut a link": 5,
  "silence a link": 4,
  "stop a daemon": 4,
  "stop a server": 3,
  "kill a server": 3,
  "kill a daemon and shift its clock": 1,
};

/** Faults in a random order, with each kind among the first twenty and among every further twenty. */
export function planFaults(count: number, random: Random): Fault[] {
  const plan: Fault[] = [];
  while (plan.length < count) {
    const deck = Object.entries(TWENTY).flatMap(([name, times]) => Array.from({ length: times }, () => name as Fault));
    while (deck.length > 0) plan.push(...deck.splice(random.below(deck.length), 1));
  }
  return plan.slice(0, count);
}

/** Lets a fault happen, and ends it. */
export const runFault = (fault: Fault, world: World, count: number): Promise<void> => FAULTS[fault](world, count);
