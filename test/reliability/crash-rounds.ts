import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { EventItem, Orchestrator, Timer } from "claw-client";
import { connectObserver, connectOrchestrator, systemTimer } from "claw-client";
import { unixChannel } from "claw-client/node";
import type { ForegroundDaemon } from "./foreground-daemon.ts";
import { spawnForeground, startForeground } from "./foreground-daemon.ts";
import type { Random } from "./random.ts";
import { createRandom } from "./random.ts";
import type { RawFollower } from "./raw-follower.ts";
import { followRaw } from "./raw-follower.ts";

export interface CrashPlan {
  readonly folder: string;
  readonly seed: number;
  /** Each publishes, and reads everything: every second by the SDK, the others by frames of their own. */
  readonly clients: number;
  readonly crashes: number;
  /** What each publishes before a crash, and once more when they are over. */
  readonly eventsPerRound: number;
  readonly durability: "strict" | "relaxed";
}

/** What each client publishes, in its order. */
export const textsOf = ({ crashes, eventsPerRound }: CrashPlan, writer: number): string[] =>
  Array.from({ length: crashes + 1 }, (_, round) =>
    Array.from({ length: eventsPerRound }, (_each, index) => `${writer} ${round} ${index}`),
  ).flat();

/** One event as a client first saw it. */
export interface Sighting {
  readonly id: string;
  readonly sequence: number;
  readonly text: string;
}

/** An event that was acknowledged. */
export interface Acknowledgement {
  readonly writer: number;
  readonly text: string;
  readonly sequence: number;
}

export interface CrashResult {
  /** What each client saw, in the order it saw it. */
  readonly seen: readonly (readonly Sighting[])[];
  /** How many of these sightings were live, where that can be told. */
  readonly live: number;
  /** What a client sees that comes when everything is over. */
  readonly late: readonly Sighting[];
  readonly acknowledged: readonly Acknowledgement[];
}

const TOPIC = "cmd.**";
const START = "0000:0";
const RETRY_MS = 100;
const LONG_MS = 10_000;

/** Clients that come back quickly, so that a daemon is killed with everybody there. */
const hasty: Timer = { ...systemTimer, after: (ms, run) => systemTimer.after(ms < LONG_MS ? RETRY_MS : ms, run) };

const sightingOf = ({ envelope, sequence, data }: EventItem): Sighting => ({
  id: envelope?.id ?? "",
  sequence,
  text: (data as { text: string }).text,
});

async function followBySdk(socket: string, name: string, count: number): Promise<Sighting[]> {
  const reader = connectObserver({ channel: unixChannel(socket), name, timer: hasty });
  const seen: Sighting[] = [];
  for await (const item of reader.subscribe(TOPIC, { from: START })) {
    if (item.kind === "event") seen.push(sightingOf(item));
    if (item.kind === "gap" || seen.length === count) break;
  }
  await reader.close();
  return seen;
}

interface Payload {
  readonly id: string;
  readonly data: { readonly text: string };
}

const sightingsOf = ({ events }: RawFollower): Sighting[] =>
  events.map(({ sequence, payload }) => {
    const { id, data } = payload as Payload;
    return { id, sequence: Number(sequence), text: data.text };
  });

/** Publishers, and what was acknowledged to them. */
function createWriters(socket: string, count: number) {
  const writers = Array.from({ length: count }, (_, index) =>
    connectOrchestrator({ channel: unixChannel(socket), name: `writer-${index}`, timer: hasty }),
  );
  const acknowledged: Acknowledgement[] = [];
  const publishing: Promise<void>[] = [];
  let onReceipt: () => void = () => undefined;
  const publish = async (orchestrator: Orchestrator, writer: number, text: string): Promise<void> => {
    const { sequence } = await orchestrator.publish("cmd.role.worker", { command: "inject_text", text });
    acknowledged.push({ writer, text, sequence });
    onReceipt();
  };
  return {
    acknowledged,
    /** Hands a round's events over. */
    publishAll: (round: number, each: number) => {
      for (let index = 0; index < each; index += 1) {
        for (const [writer, client] of writers.entries()) {
          publishing.push(publish(client, writer, `${writer} ${round} ${index}`));
        }
      }
    },
    waiting: () => publishing.length - acknowledged.length,
    /** Resolves when so many more were acknowledged. */
    after: (count: number) =>
      new Promise<void>((resolve) => {
        const until = acknowledged.length + count;
        onReceipt = () => acknowledged.length >= until && resolve();
        onReceipt();
      }),
    finish: () => Promise.all(publishing),
    close: () => Promise.all(writers.map((writer) => writer.close())),
  };
}

const flagsOf = ({ durability }: CrashPlan): string[] => [`--durability=${durability}`, "--tee"];

/** Kills at a moment that the seed chooses: behind any receipt, at any time, or while the next one starts. */
async function crash(
  daemon: ForegroundDaemon,
  plan: CrashPlan,
  waiting: Waiting,
  random: Random,
): Promise<ForegroundDaemon> {
  const options = { flags: flagsOf(plan) };
  const moment = random.pick(["receipt", "receipt", "time", "start"] as const);
  if (moment === "time") await setTimeout(random.below(RETRY_MS));
  else await waiting.after(1 + random.below(waiting.waiting()));
  await daemon.kill();
  if (moment === "start") {
    const stillborn = spawnForeground(plan.folder, options);
    await setTimeout(random.below(3 * RETRY_MS));
    await stillborn.kill();
  }
  return startForeground(plan.folder, options);
}

type Waiting = Pick<ReturnType<typeof createWriters>, "after" | "waiting">;

/** Kills the daemon again and again while clients publish and read; they know nothing of it. */
export async function runCrashRounds(plan: CrashPlan): Promise<CrashResult> {
  const { folder, clients, crashes, eventsPerRound } = plan;
  const random = createRandom(plan.seed);
  const socket = join(folder, ".claws", "claws.sock");
  const inDanger = clients * crashes * eventsPerRound;
  const total = inDanger + clients * eventsPerRound;
  let daemon = await startForeground(folder, { flags: flagsOf(plan) });
  const writers = createWriters(socket, clients);
  const raw = Array.from({ length: Math.ceil(clients / 2) }, (_, index) =>
    followRaw({ socket, name: `raw-${index}`, topic: TOPIC, from: START }),
  );
  try {
    const bySdk = Array.from({ length: Math.floor(clients / 2) }, (_, index) =>
      followBySdk(socket, `sdk-${index}`, total),
    );
    await Promise.all(raw.map(({ subscribed }) => subscribed));
    for (let round = 0; round < crashes; round += 1) {
      writers.publishAll(round, eventsPerRound);
      daemon = await crash(daemon, plan, writers, random);
    }
    await Promise.all(raw.map((follower) => follower.reached(inDanger)));
    // Until then even new events come as part of the past.
    await Promise.all(raw.map((follower) => follower.caughtUp()));
    writers.publishAll(crashes, eventsPerRound);
    await writers.finish();
    await Promise.all(raw.map((follower) => follower.reached(total)));
    const seen = [...raw.map(sightingsOf), ...(await Promise.all(bySdk))];
    const late = await followBySdk(socket, "late", total);
    const live = raw.flatMap(({ events }) => events.filter(({ replayed }) => replayed === undefined)).length;
    await writers.close();
    await daemon.stop();
    return { seen, live, late, acknowledged: writers.acknowledged };
  } finally {
    await writers.close();
    for (const follower of raw) follower.close();
    await daemon.kill();
  }
}
