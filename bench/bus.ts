import { history } from "./bus/history.ts";
import { idlePeers } from "./bus/idle-peers.ts";
import { measureSingles, percentile } from "./bus/latency.ts";
import { explainNats } from "./bus/nats.ts";
import type { ServerKind } from "./bus/server.ts";
import { startServer } from "./bus/server.ts";
import { SIZES, SUBSCRIBERS, WINDOW } from "./bus/sizes.ts";
import type { Load, Throughput } from "./bus/throughput.ts";
import { closeLoad, measureThroughput, openLoad } from "./bus/throughput.ts";
import { median } from "./measure.ts";
import type { Bar, Progress, Row } from "./suite.ts";
import { row } from "./suite.ts";
import { requireDisk, withTempFolder } from "./temp-folder.ts";

const DISK_BYTES = 3e9;

/** Lends one server of each kind with its clients. */
async function withLoads<T>(
  folder: string,
  kinds: readonly ServerKind[],
  options: { readonly subscribers: number; readonly use: (loads: readonly Load[]) => Promise<T> },
): Promise<T> {
  const loads: Load[] = [];
  try {
    for (const kind of kinds) loads.push(await openLoad(await startServer(kind, folder), options.subscribers));
    return await options.use(loads);
  } finally {
    for (const load of loads) {
      closeLoad(load);
      await load.server.stop();
    }
  }
}

type Results<Result> = ReadonlyMap<ServerKind, readonly Result[]>;

/** Every server once a round, each round beginning with another; a first round is not counted. */
async function inRounds<Result>(
  loads: readonly Load[],
  measure: (load: Load) => Promise<Result>,
): Promise<Results<Result>> {
  const results = new Map<ServerKind, Result[]>(loads.map(({ server }) => [server.kind, []]));
  for (const load of loads) await measure(load);
  for (let round = 0; round < SIZES.rounds; round += 1) {
    const first = round % loads.length;
    for (const load of [...loads.slice(first), ...loads.slice(0, first)]) {
      results.get(load.server.kind)?.push(await measure(load));
    }
  }
  return results;
}

/** Medians of the quotients of each round: what slows a round down slows both of its parts. */
function against<Result>(
  results: Results<Result>,
  [kind, base]: readonly [ServerKind, ServerKind],
  valueOf: (result: Result) => number,
): number {
  const bare = (results.get(base) ?? []).map(valueOf);
  const own = (results.get(kind) ?? []).map(valueOf);
  return median(own.map((value, round) => value / (bare[round] ?? Number.NaN)));
}

interface Limits {
  readonly perSecond: Bar;
  readonly cpu: Bar;
}

const LIMITS: Readonly<Record<"strict" | "relaxed", Limits>> = {
  strict: { perSecond: { atLeast: 0.5 }, cpu: { atMost: 2.5 } },
  relaxed: { perSecond: { atLeast: 0.75 }, cpu: { atMost: 2 } },
};

function windowRows(results: Results<Throughput>): Row[] {
  const rate = ({ perSecond }: Throughput): number => perSecond;
  const cpu = ({ cpuMicros }: Throughput): number => cpuMicros;
  const kinds = ["relay", "gathering-relay", "strict", "relaxed"] as const;
  const plain = kinds.flatMap((kind) => [
    row(`window ${WINDOW}, ${kind}`, median((results.get(kind) ?? []).map(rate)), "events/s"),
    row(`server time for an event, ${kind}`, median((results.get(kind) ?? []).map(cpu)), "µs"),
  ]);
  const compared = (["strict", "relaxed"] as const).flatMap((kind) => [
    row(`window ${WINDOW}, ${kind}`, against(results, [kind, "relay"], rate), "× relay", LIMITS[kind].perSecond),
    row(`window ${WINDOW}, ${kind}`, against(results, [kind, "gathering-relay"], rate), "× gathering relay"),
    row(`server time for an event, ${kind}`, against(results, [kind, "relay"], cpu), "× relay", LIMITS[kind].cpu),
    row(`server time for an event, ${kind}`, against(results, [kind, "gathering-relay"], cpu), "× gathering relay"),
  ]);
  return [...plain, ...compared];
}

function singleRows(results: Results<readonly number[]>): Row[] {
  const p50 = (times: readonly number[]): number => percentile(times, 0.5);
  const p99 = (times: readonly number[]): number => percentile(times, 0.99);
  const name = "one at a time, publish to delivery";
  return [
    row(`${name}, p50`, median((results.get("relaxed") ?? []).map(p50)), "ms"),
    row(`${name}, p50`, against(results, ["relaxed", "relay"], p50), "× relay", { atMost: 2 }),
    row(`${name}, p99`, against(results, ["relaxed", "relay"], p99), "× relay", { atMost: 3 }),
  ];
}

function fanOutRows(results: Results<Throughput>): Row[] {
  const rate = ({ perSecond }: Throughput): number => perSecond * SUBSCRIBERS;
  const name = `1 publisher, ${SUBSCRIBERS} subscribers`;
  return [
    row(name, median((results.get("relaxed") ?? []).map(rate)), "deliveries/s"),
    row(name, against(results, ["relaxed", "relay"], rate), "× relay", { atLeast: 0.7 }),
    row(name, against(results, ["relaxed", "gathering-relay"], rate), "× gathering relay"),
  ];
}

/** What the daemon costs beyond passing lines on. */
export function bus(progress: Progress): Promise<Row[]> {
  return withTempFolder(async (folder) => {
    requireDisk(folder, DISK_BYTES);
    explainNats(progress);
    progress("publishing with a window, and one at a time");
    const single = await withLoads(folder, ["relay", "gathering-relay", "strict", "relaxed"], {
      subscribers: 1,
      use: async (loads) => [
        ...windowRows(await inRounds(loads, (load) => measureThroughput(load, SIZES.events, WINDOW))),
        ...singleRows(await inRounds(loads, (load) => measureSingles(load, SIZES.singles))),
      ],
    });
    progress(`${SUBSCRIBERS} subscribers`);
    const fanOut = await withLoads(folder, ["relay", "gathering-relay", "relaxed"], {
      subscribers: SUBSCRIBERS,
      use: async (loads) =>
        fanOutRows(await inRounds(loads, (load) => measureThroughput(load, SIZES.broadcasts, WINDOW))),
    });
    return [...single, ...fanOut, ...(await idlePeers(folder, progress)), ...(await history(folder, progress))];
  });
}
