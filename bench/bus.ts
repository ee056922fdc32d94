import { besideWorkers } from "./bus/beside-workers.ts";
import { history } from "./bus/history.ts";
import { idlePeers } from "./bus/idle-peers.ts";
import { measureSingles, percentile } from "./bus/latency.ts";
import type { Nats } from "./bus/nats.ts";
import { startNats } from "./bus/nats.ts";
import type { Contender, Results } from "./bus/rounds.ts";
import { against, inRounds, medianOf } from "./bus/rounds.ts";
import type { ServerKind } from "./bus/server.ts";
import { startServer } from "./bus/server.ts";
import { SIZES, SUBSCRIBERS, WINDOW } from "./bus/sizes.ts";
import type { Load, Throughput } from "./bus/throughput.ts";
import { closeLoad, measureThroughput, openLoad } from "./bus/throughput.ts";
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

interface Limits {
  readonly perSecond: Bar;
  /** Against the relay that gathers. */
  readonly gathered: Bar;
  readonly cpu: Bar;
}

const LIMITS: Readonly<Record<"strict" | "relaxed", Limits>> = {
  strict: { perSecond: { atLeast: 0.6 }, gathered: { atLeast: 0.35 }, cpu: { atMost: 1.6 } },
  relaxed: { perSecond: { atLeast: 0.95 }, gathered: { atLeast: 0.55 }, cpu: { atMost: 1.2 } },
};

const contendersOf = <Result>(loads: readonly Load[], measure: (load: Load) => Promise<Result>): Contender<Result>[] =>
  loads.map((load) => ({ name: load.server.kind, measure: () => measure(load) }));

const rate = ({ perSecond }: Throughput): number => perSecond;
const cpu = ({ cpuMicros }: Throughput): number => cpuMicros;

function windowRows(results: Results<Throughput>, natsVersion: string): Row[] {
  const plain = (["relay", "gathering-relay", "strict", "relaxed"] as const).flatMap((kind) => [
    row(`window ${WINDOW}, ${kind}`, medianOf(results, kind, rate), "events/s"),
    row(`server time for an event, ${kind}`, medianOf(results, kind, cpu), "µs"),
  ]);
  const compared = (["strict", "relaxed"] as const).flatMap((kind) => [
    row(`window ${WINDOW}, ${kind}`, against(results, [kind, "relay"], rate), "× relay", LIMITS[kind].perSecond),
    row(
      `window ${WINDOW}, ${kind}`,
      against(results, [kind, "gathering-relay"], rate),
      "× gathering relay",
      LIMITS[kind].gathered,
    ),
    row(`server time for an event, ${kind}`, against(results, [kind, "relay"], cpu), "× relay", LIMITS[kind].cpu),
    row(`server time for an event, ${kind}`, against(results, [kind, "gathering-relay"], cpu), "× gathering relay"),
  ]);
  return [...plain, ...compared, ...natsRows(results, natsVersion)];
}

function natsRows(results: Results<Throughput>, version: string): Row[] {
  if (!results.has("JetStream")) return [];
  const name = `window ${WINDOW}`;
  return [
    row(`${name}, NATS core`, medianOf(results, "NATS core", rate), `events/s, ${version}`),
    row(`${name}, JetStream, file storage`, medianOf(results, "JetStream", rate), "events/s"),
    row(`${name}, JetStream, synced`, medianOf(results, "JetStream, synced", rate), "events/s"),
    row(`${name}, strict`, against(results, ["strict", "JetStream"], rate), "× JetStream", { atLeast: 2 }),
    row(`${name}, strict`, against(results, ["strict", "JetStream, synced"], rate), "× JetStream, synced", {
      atLeast: 5,
    }),
    row(`${name}, relaxed`, against(results, ["relaxed", "NATS core"], rate), "× NATS core"),
  ];
}

function singleRows(results: Results<readonly number[]>): Row[] {
  const p50 = (times: readonly number[]): number => percentile(times, 0.5);
  const p99 = (times: readonly number[]): number => percentile(times, 0.99);
  const name = "one at a time, publish to delivery";
  return [
    row(`${name}, p50`, medianOf(results, "relaxed", p50), "ms"),
    row(`${name}, p50`, against(results, ["relaxed", "relay"], p50), "× relay", { atMost: 1.5 }),
    row(`${name}, p99`, against(results, ["relaxed", "relay"], p99), "× relay", { atMost: 2.5 }),
  ];
}

function fanOutRows(results: Results<Throughput>): Row[] {
  const deliveries = (result: Throughput): number => rate(result) * SUBSCRIBERS;
  const name = `1 publisher, ${SUBSCRIBERS} subscribers`;
  return [
    row(name, medianOf(results, "relaxed", deliveries), "deliveries/s"),
    row(name, against(results, ["relaxed", "relay"], deliveries), "× relay", { atLeast: 1.5 }),
    row(name, against(results, ["relaxed", "gathering-relay"], rate), "× gathering relay"),
  ];
}

const window = (load: Load): Promise<Throughput> => measureThroughput(load, SIZES.events, WINDOW);
const singles = (load: Load): Promise<number[]> => measureSingles(load, SIZES.singles);
const fanOut = (load: Load): Promise<Throughput> => measureThroughput(load, SIZES.broadcasts, WINDOW);

async function publishRows(folder: string, progress: Progress): Promise<Row[]> {
  const nats = await startNats(folder, progress);
  progress("publishing with a window, and one at a time");
  try {
    return await measurePublishing(folder, nats);
  } finally {
    await nats.stop();
  }
}

function measurePublishing(folder: string, nats: Nats): Promise<Row[]> {
  return withLoads(folder, ["relay", "gathering-relay", "strict", "relaxed"], {
    subscribers: 1,
    use: async (loads) => [
      ...windowRows(await inRounds([...contendersOf(loads, window), ...nats.contenders]), nats.version),
      ...singleRows(await inRounds(contendersOf(loads, singles))),
    ],
  });
}

/** What the daemon costs beyond passing lines on. */
export function bus(progress: Progress): Promise<Row[]> {
  return withTempFolder(async (folder) => {
    requireDisk(folder, DISK_BYTES);
    const published = await publishRows(folder, progress);
    const beside = await besideWorkers(folder, progress);
    progress(`${SUBSCRIBERS} subscribers`);
    const fannedOut = await withLoads(folder, ["relay", "gathering-relay", "relaxed"], {
      subscribers: SUBSCRIBERS,
      use: async (loads) => fanOutRows(await inRounds(contendersOf(loads, fanOut))),
    });
    return [
      ...published,
      ...beside,
      ...fannedOut,
      ...(await idlePeers(folder, progress)),
      ...(await history(folder, progress)),
    ];
  });
}
