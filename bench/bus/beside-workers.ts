import { sizeOf } from "../effort.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { openClient } from "./client.ts";
import type { KnownWorkers } from "./known-workers.ts";
import { openKnownWorkers } from "./known-workers.ts";
import { measureSingles, percentile } from "./latency.ts";
import type { Results } from "./rounds.ts";
import { against, inRounds } from "./rounds.ts";
import { startServer } from "./server.ts";
import { SIZES, WINDOW } from "./sizes.ts";
import type { Load } from "./throughput.ts";
import { closeLoad, measureThroughput, openLoad } from "./throughput.ts";

const FLEET = { workers: sizeOf(50, 3), approvals: sizeOf(10, 1), hasBudgets: true };
const BUDGETS = ["--budget-usd", "100000", "--budget-usd-per-day", "100000"];

/** A daemon alone, one that looks after a fleet, and one that besides tells an observer everything. */
const SITUATIONS = ["alone", "fleet", "observed"] as const;
type Situation = (typeof SITUATIONS)[number];

interface Place {
  readonly load: Load;
  close(): Promise<void>;
}

async function observeAll(load: Load): Promise<void> {
  const observer = await openClient(load.server.socket, "observer");
  await observer.request({ cmd: "subscribe", topic: "**" });
  observer.socket.resume();
}

async function openPlace(situation: Situation, kind: "strict" | "relaxed", folder: string): Promise<Place> {
  const server = await startServer(kind, folder, situation === "alone" ? {} : { flags: BUDGETS });
  const known: KnownWorkers[] = situation === "alone" ? [] : [await openKnownWorkers(server, FLEET)];
  const load = await openLoad(server, 1);
  if (situation === "observed") await observeAll(load);
  return {
    load,
    close: async () => {
      closeLoad(load);
      for (const workers of known) await workers.close();
      await server.stop();
    },
  };
}

/** Measures the three situations in turns. */
async function inSituations<Result>(
  places: ReadonlyMap<Situation, Place>,
  measure: (load: Load) => Promise<Result>,
): Promise<Results<Result>> {
  return inRounds([...places].map(([name, { load }]) => ({ name, measure: () => measure(load) })));
}

async function measureKind(kind: "strict" | "relaxed", folder: string): Promise<Row[]> {
  const places = new Map<Situation, Place>();
  try {
    for (const situation of SITUATIONS) places.set(situation, await openPlace(situation, kind, folder));
    const rates = await inSituations(places, (load) => measureThroughput(load, SIZES.events, WINDOW));
    const singles = await inSituations(places, (load) => measureSingles(load, SIZES.singles));
    const fleet = `${kind}, beside ${FLEET.workers} workers, ${FLEET.approvals} approvals, budgets`;
    const rate = (pair: [Situation, Situation]): number => against(rates, pair, ({ perSecond }) => perSecond);
    const p50 = against(singles, ["fleet", "alone"], (times) => percentile(times, 0.5));
    return [
      row(`window ${WINDOW}, ${fleet}`, rate(["fleet", "alone"]), "× alone", { atLeast: 0.85 }),
      row(`one at a time, p50, ${fleet}`, p50, "× alone", { atMost: 1.15 }),
      row(`window ${WINDOW}, ${kind}, and an observer of **`, rate(["observed", "fleet"]), "× without it", {
        atLeast: 0.8,
      }),
    ];
  } finally {
    for (const place of places.values()) await place.close();
  }
}

/** What it costs a publish that the daemon looks after workers, their questions and their budgets. */
export async function besideWorkers(folder: string, progress: Progress): Promise<Row[]> {
  progress(`publishing beside ${FLEET.workers} workers`);
  return [...(await measureKind("strict", folder)), ...(await measureKind("relaxed", folder))];
}
