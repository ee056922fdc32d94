import { readFileSync } from "node:fs";
import type { Client } from "../bus/client.ts";
import { openClient } from "../bus/client.ts";
import type { Server } from "../bus/server.ts";
import { cpuSecondsOf } from "../bus/server.ts";
import { runClaw } from "../child.ts";
import { timeMs } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { requireDisk, withTempFolder } from "../temp-folder.ts";
import type { Helper } from "./child-process.ts";
import { startHelper } from "./child-process.ts";
import type { Ask, Counts } from "./crowd-messages.ts";
import type { Load, Step } from "./crowd-rows.ts";
import { crowdRows } from "./crowd-rows.ts";
import type { Cluster, ClusterWishes } from "./open-cluster.ts";
import { openCluster } from "./open-cluster.ts";
import { SIZES } from "./sizes.ts";
import type { BeatWatch } from "./watch-beats.ts";
import { watchBeats } from "./watch-beats.ts";

const DAEMONS = 3;
const DISK_BYTES = 1e9;

/** A cluster, and the processes that play its workers: one for each daemon. */
export interface Scene {
  readonly cluster: Cluster;
  readonly helpers: readonly Helper[];
  readonly watches: readonly BeatWatch[];
}

async function ask(helper: Helper, what: Ask): Promise<Counts> {
  const answer = helper.next();
  helper.send(what);
  const counts = (await answer) as Counts;
  if (counts.refused !== null) throw new Error(`a heartbeat was refused: ${counts.refused}`);
  return counts;
}

const askAll = ({ helpers }: Scene, what: Ask): Promise<Counts[]> =>
  Promise.all(helpers.map((helper) => ask(helper, what)));

/** Lets workers join until there are as many as wanted, evenly at all daemons. */
export async function grow({ helpers }: Scene, before: number, after: number): Promise<void> {
  const share = (count: number, index: number): number => Math.floor((count + index) / helpers.length);
  const joins = helpers.map((helper, index) =>
    ask(helper, { do: "join", count: share(after, index) - share(before, index) }),
  );
  await Promise.all(joins);
}

interface Listed {
  readonly workers_count: number;
  /** Holds the whole answer when it is too large for one line. */
  readonly file?: string;
}

function countOf(answer: string): number {
  const listed = JSON.parse(answer) as Listed;
  return listed.file === undefined ? listed.workers_count : countOf(readFileSync(listed.file, "utf8"));
}

/** Times of `claw ps` at each daemon, as its caller waits for it. Throws when it does not show all workers. */
async function timeLists({ cluster }: Scene, workers: number): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < SIZES.lists; call += 1) {
    for (const { folder: cwd } of cluster.daemons) {
      let answer = "";
      const list = async (): Promise<void> => {
        answer = await runClaw(["ps", "--output-format", "json"], { cwd, env: { TMPDIR: cwd } });
      };
      times.push(await timeMs(list));
      const shown = countOf(answer);
      if (shown !== workers) throw new Error(`claw ps shows ${shown} of ${workers} workers`);
    }
  }
  return times;
}

const LF = 0x0a;

/** Sends a request for all workers on an open connection. Resolves when the whole answer is there. */
function listOnBus({ socket, write, receive }: Client): Promise<void> {
  return new Promise((resolve) => {
    socket.removeAllListeners("data");
    receive((chunk) => {
      if (chunk.at(-1) === LF) resolve();
    });
    write(`${JSON.stringify({ id: "list", cmd: "worker.list" })}\n`);
  });
}

/** Times of the same question at each daemon, without a new process. */
async function timeRequests({ cluster }: Scene): Promise<number[]> {
  const times: number[] = [];
  for (const { socket } of cluster.daemons) {
    const client = await openClient(socket, "observer");
    for (let call = 0; call < SIZES.lists; call += 1) times.push(await timeMs(() => listOnBus(client)));
    client.close();
  }
  return times;
}

/** Processor seconds of each daemon and of the server. */
const cpuOf = ({ daemons, nats }: Cluster): number[] => [
  ...daemons.map((daemon: Server) => daemon.cpuSeconds()),
  cpuSecondsOf(nats.pid),
];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Measures for a while what the workers that are there cost. */
export async function measureLoad(scene: Scene): Promise<Load> {
  const { cluster } = scene;
  const [before, cpuBefore] = [await cluster.stored(), cpuOf(cluster)];
  await askAll(scene, { do: "count" });
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, SIZES.stepMs));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = cpuOf(cluster).map((now, index) => (now - (cpuBefore[index] ?? 0)) / seconds);
  const after = await cluster.stored();
  const counts = await askAll(scene, { do: "count" });
  const events = after.messages - before.messages;
  return {
    daemonCpu: cpu.slice(0, -1),
    serverCpu: cpu.at(-1) ?? Number.NaN,
    daemonBytes: cluster.daemons.map((daemon) => daemon.memoryBytes()),
    eventsPerSecond: events / seconds,
    bytesPerEvent: (after.bytes - before.bytes) / events,
    latestMs: Math.max(...counts.map(({ latestMs }) => latestMs)),
  };
}

const measureStep = async (scene: Scene, workers: number): Promise<Step> => ({
  ...(await measureLoad(scene)),
  workers,
  listMs: await timeLists(scene, workers),
  requestMs: await timeRequests(scene),
});

/** Ends the heartbeats, and throws unless each observer got all of them, once, in one order. */
export async function requireRight(scene: Scene): Promise<void> {
  const sent = sum((await askAll(scene, { do: "stop" })).map((counts) => counts.sent));
  for (const watch of scene.watches) {
    await watch.until(sent);
    const wrong = watch.seen() === sent ? watch.wrong() : `${watch.seen()} heartbeats came of ${sent}`;
    if (wrong !== undefined) throw new Error(wrong);
  }
  const orders = new Set(scene.watches.map((watch) => watch.order()));
  if (orders.size !== 1) throw new Error("observers at different daemons got heartbeats in different orders");
}

async function measureSteps(scene: Scene, progress: Progress): Promise<Step[]> {
  const steps: Step[] = [];
  for (const workers of SIZES.workers) {
    progress(`${workers} workers at ${DAEMONS} daemons`);
    await grow(scene, steps.at(-1)?.workers ?? 0, workers);
    steps.push(await measureStep(scene, workers));
  }
  await requireRight(scene);
  return steps;
}

/** Opens a cluster with observers, and without workers. `onEnd` is told how to end each part; the last part ends first. */
export async function openScene(
  folder: string,
  wishes: Omit<ClusterWishes, "daemons">,
  onEnd: (end: () => Promise<void> | void) => void,
): Promise<Scene> {
  const cluster = await openCluster(folder, { ...wishes, daemons: DAEMONS });
  onEnd(() => cluster.close());
  const helpers: Helper[] = [];
  const watches: BeatWatch[] = [];
  for (const { socket } of cluster.daemons) {
    const helper = await startHelper("workers", [socket, String(SIZES.heartbeatMs)]);
    onEnd(() => helper.end());
    const watch = await watchBeats(socket);
    onEnd(() => watch.close());
    helpers.push(helper);
    watches.push(watch);
  }
  return { cluster, helpers, watches };
}

/** Runs work in a folder that has room for the streams, and ends what it opened. */
export function inFolder<T>(
  work: (folder: string, onEnd: (end: () => Promise<void> | void) => void) => Promise<T>,
): Promise<T> {
  return withTempFolder(async (folder) => {
    requireDisk(folder, DISK_BYTES);
    const ends: (() => Promise<void> | void)[] = [];
    try {
      return await work(folder, (end) => void ends.push(end));
    } finally {
      for (const end of ends.toReversed()) await end();
    }
  });
}

/** More and more workers at three daemons: each sends a heartbeat every ten seconds, and one observer a daemon gets all. */
export const crowd = (binary: string, progress: Progress): Promise<Row[]> =>
  inFolder(async (folder, onEnd) =>
    crowdRows(await measureSteps(await openScene(folder, { binary }, onEnd), progress)),
  );
