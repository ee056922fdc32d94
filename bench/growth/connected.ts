import { openClients } from "../bus/client.ts";
import { openKnownWorkers } from "../bus/known-workers.ts";
import { inRounds } from "../bus/rounds.ts";
import type { Server } from "../bus/server.ts";
import { startServer } from "../bus/server.ts";
import { WINDOW } from "../bus/sizes.ts";
import type { Load } from "../bus/throughput.ts";
import { closeLoad, measureThroughput, openLoad } from "../bus/throughput.ts";
import { EFFORT, sizeOf } from "../effort.ts";
import type { Progress, Row } from "../suite.ts";
import { contenderName, growthRows } from "./growth-rows.ts";

const PEERS = EFFORT === "smoke" ? [2, 5] : [10, 100, 500, 1000, 2000];
const WORKERS = EFFORT === "smoke" ? [1, 3] : [1, 10, 50, 200, 500];
const PUBLISHED = sizeOf(10_000, 100);

/** Connects as many clients as wanted. Resolves with what closes them. */
type Connect = (server: Server, count: number) => Promise<() => Promise<void>>;

const connectPeers: Connect = async ({ socket }, count) => {
  const clients = await openClients(socket, "observer", count);
  return async () => {
    for (const client of clients) client.close();
  };
};

const connectWorkers: Connect = async (server, count) => {
  const known = await openKnownWorkers(server, { workers: count, approvals: 0, hasBudgets: true });
  return () => known.close();
};

interface Place {
  readonly load: Load;
  close(): Promise<void>;
}

async function openPlace(folder: string, connect: Connect, count: number): Promise<Place> {
  const server = await startServer("relaxed", folder);
  const disconnect = await connect(server, count);
  const load = await openLoad(server, 1);
  return {
    load,
    close: async () => {
      closeLoad(load);
      await disconnect();
      await server.stop();
    },
  };
}

async function measure(load: Load): Promise<{ readonly micros: number; readonly megabytes: number }> {
  const { cpuMicros: micros } = await measureThroughput(load, PUBLISHED, WINDOW);
  return { micros, megabytes: load.server.memoryBytes() / 1e6 };
}

interface Crowd {
  readonly plot: string;
  readonly counts: string;
  readonly sizes: readonly number[];
  readonly connect: Connect;
}

async function measureCrowd(folder: string, { connect, ...shared }: Crowd): Promise<Row[]> {
  const places = new Map<number, Place>();
  try {
    for (const size of shared.sizes) places.set(size, await openPlace(folder, connect, size));
    const contenders = [...places].map(([size, { load }]) => ({
      name: contenderName(size),
      measure: () => measure(load),
    }));
    const results = await inRounds(contenders);
    return [
      ...growthRows(results, {
        ...shared,
        figure: "publish",
        unit: "µs of the daemon for an event",
        valueOf: ({ micros }) => micros,
        bar: { atMost: 1.15 },
      }),
      ...growthRows(results, { ...shared, figure: "memory", unit: "MB", valueOf: ({ megabytes }) => megabytes }),
    ];
  } finally {
    for (const place of places.values()) await place.close();
  }
}

/** What it costs one publisher that others are connected and do nothing. */
export async function connected(folder: string, progress: Progress): Promise<Row[]> {
  progress(`publishing beside up to ${PEERS.at(-1)} idle peers`);
  const peers = await measureCrowd(folder, {
    plot: "growth-peers",
    counts: "peers connected",
    sizes: PEERS,
    connect: connectPeers,
  });
  progress(`publishing beside up to ${WORKERS.at(-1)} workers`);
  const workers = await measureCrowd(folder, {
    plot: "growth-workers",
    counts: "workers known",
    sizes: WORKERS,
    connect: connectWorkers,
  });
  return [...peers, ...workers];
}
