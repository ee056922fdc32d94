import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { EventItem, Orchestrator, Receipt } from "@claw/client";
import { connectObserver, connectOrchestrator } from "@claw/client";
import { unixChannel } from "@claw/client/node";
import type { ForegroundDaemon } from "./foreground-daemon.ts";
import { startForeground } from "./foreground-daemon.ts";

export interface CrashPlan {
  readonly folder: string;
  readonly clients: number;
  readonly rounds: number;
  readonly eventsPerRound: number;
  /** The daemon is killed at a random moment up to so long after the events of a round were handed over. */
  readonly killWithinMs: number;
}

/** One event as a client first saw it. */
export interface Sighting {
  readonly id: string;
  readonly sequence: number;
}

export interface CrashResult {
  /** What each client saw, in the order it saw it. */
  readonly seen: readonly (readonly Sighting[])[];
  /** What a client sees that comes when everything is over. */
  readonly stored: readonly Sighting[];
  readonly receipts: readonly Receipt[];
}

const sightingOf = ({ envelope, sequence }: EventItem): Sighting => ({ id: envelope?.id ?? "", sequence });

/** Reads events from the beginning until there are so many. */
async function follow(socket: string, name: string, count: number): Promise<Sighting[]> {
  const reader = connectObserver({ channel: unixChannel(socket), name });
  const seen: Sighting[] = [];
  for await (const item of reader.subscribe("cmd.**", { from: "0000:0" })) {
    if (item.kind === "event") seen.push(sightingOf(item));
    if (item.kind === "gap" || seen.length === count) break;
  }
  await reader.close();
  return seen;
}

function publishSome(writer: Orchestrator, name: string, count: number): Promise<Receipt>[] {
  return Array.from({ length: count }, (_, index) => writer.injectText("p_999999", `${name} ${index}`));
}

/** Kills the daemon again and again while clients publish and read; they know nothing of it. */
export async function runCrashRounds(plan: CrashPlan): Promise<CrashResult> {
  const { folder, clients, rounds, eventsPerRound } = plan;
  const socket = join(folder, ".claws", "claws.sock");
  const names = Array.from({ length: clients }, (_, index) => `client-${index}`);
  const total = clients * rounds * eventsPerRound;
  let daemon: ForegroundDaemon = await startForeground(folder);
  const writers = names.map((name) => connectOrchestrator({ channel: unixChannel(socket), name: `writer-${name}` }));
  try {
    const following = names.map((name) => follow(socket, name, total));
    const published: Promise<Receipt>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const writer of writers) published.push(...publishSome(writer, `${round}`, eventsPerRound));
      await setTimeout(Math.random() * plan.killWithinMs);
      await daemon.kill();
      daemon = await startForeground(folder);
    }
    const receipts = await Promise.all(published);
    const seen = await Promise.all(following);
    return { seen, receipts, stored: await follow(socket, "late", total) };
  } finally {
    await Promise.all(writers.map((writer) => writer.close()));
    await daemon.kill();
  }
}
