import { cpSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import { inRounds } from "../bus/rounds.ts";
import type { Server } from "../bus/server.ts";
import { startServer } from "../bus/server.ts";
import { WINDOW } from "../bus/sizes.ts";
import { closeLoad, measureThroughput, openLoad } from "../bus/throughput.ts";
import { runClaw } from "../child.ts";
import { EFFORT, sizeOf } from "../effort.ts";
import { timeMs } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { contenderName, growthRows } from "./growth-rows.ts";

const SIZES = EFFORT === "smoke" ? [200, 1000] : [10_000, 100_000, 1_000_000, 5_000_000];
/** After as many events a worker boots and completes, so that the past is full of workers too. */
const EVENTS_A_WORKER = sizeOf(2000, 100);
const PUBLISHED = sizeOf(10_000, 100);
const COUNTS = "events in the log";

async function liveOnce({ socket }: Server, index: number): Promise<void> {
  const worker = connectWorker({ channel: unixChannel(socket), name: `past-${index}` });
  await worker.boot({ model: "m", mission_summary: "pass by", cwd: "/" });
  await worker.complete({ summary: "passed" });
  await worker.close();
}

/** Publishes until a log is as long as wanted, through a daemon that ends afterwards. */
async function lengthenLog(folder: string, from: number, to: number): Promise<void> {
  const server = await startServer("relaxed", folder, { folder });
  const load = await openLoad(server, 0);
  try {
    for (let stored = from; stored < to; stored += EVENTS_A_WORKER) {
      await measureThroughput(load, Math.min(EVENTS_A_WORKER, to - stored), WINDOW);
      await liveOnce(server, stored / EVENTS_A_WORKER);
    }
  } finally {
    closeLoad(load);
    await server.stop();
  }
}

/** A folder with a log for each size. The daemon itself wrote them, with the snapshots it takes meanwhile. */
async function makeLogs(parent: string, progress: Progress): Promise<ReadonlyMap<number, string>> {
  const folders = new Map<number, string>();
  const growing = join(parent, "growing");
  mkdirSync(growing);
  let stored = 0;
  for (const size of SIZES) {
    progress(`storing ${size} events`);
    await lengthenLog(growing, stored, size);
    stored = size;
    const folder = join(parent, `events-${size}`);
    cpSync(growing, folder, { recursive: true, filter: (path) => !lstatSync(path).isSocket() });
    folders.set(size, folder);
  }
  return folders;
}

interface Figures {
  readonly startMs: number;
  readonly memoryMb: number;
  readonly publishMicros: number;
  readonly psMs: number;
  readonly eventsMs: number;
}

async function measureDaemon(cwd: string): Promise<Figures> {
  let server: Server | undefined;
  const startMs = await timeMs(async () => (server = await startServer("relaxed", cwd, { folder: cwd })));
  if (server === undefined) throw new Error("the daemon did not start");
  const memoryMb = server.memoryBytes() / 1e6;
  const load = await openLoad(server, 1);
  try {
    await measureThroughput(load, PUBLISHED, WINDOW);
    const { cpuMicros: publishMicros } = await measureThroughput(load, PUBLISHED, WINDOW);
    const psMs = await timeMs(() => runClaw(["ps", "--output-format", "json"], { cwd }));
    const events = ["events", "--since", "1m", "--limit", "100", "--output-format", "json"];
    return { startMs, memoryMb, publishMicros, psMs, eventsMs: await timeMs(() => runClaw(events, { cwd })) };
  } finally {
    closeLoad(load);
    await server.stop();
  }
}

/** What a long past costs a daemon in which little is open. */
export async function storedEvents(parent: string, progress: Progress): Promise<Row[]> {
  const folders = await makeLogs(parent, progress);
  progress("starting a daemon on each log, and publishing to it");
  const contenders = [...folders].map(([size, folder]) => ({
    name: contenderName(size),
    measure: () => measureDaemon(folder),
  }));
  const results = await inRounds(contenders);
  const shared = { plot: "growth-events", counts: COUNTS, sizes: SIZES };
  return [
    ...growthRows(results, {
      ...shared,
      figure: "publish",
      unit: "µs of the daemon for an event",
      valueOf: ({ publishMicros }) => publishMicros,
      bar: { atMost: 1.15 },
    }),
    ...growthRows(results, {
      ...shared,
      figure: "start of the daemon",
      unit: "ms",
      valueOf: ({ startMs }) => startMs,
      bar: { atMost: 1.5 },
    }),
    ...growthRows(results, {
      ...shared,
      figure: "memory after a start",
      unit: "MB",
      valueOf: ({ memoryMb }) => memoryMb,
      bar: { atMost: 1.5 },
    }),
    ...growthRows(results, { ...shared, figure: "claw ps", unit: "ms", valueOf: ({ psMs }) => psMs }),
    ...growthRows(results, { ...shared, figure: "claw events", unit: "ms", valueOf: ({ eventsMs }) => eventsMs }),
  ];
}
