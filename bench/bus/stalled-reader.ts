import { setInterval, clearInterval } from "node:timers";
import { median } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import type { Client } from "./client.ts";
import { openClient } from "./client.ts";
import type { Server } from "./server.ts";
import { SIZES, WINDOW } from "./sizes.ts";
import type { Load } from "./throughput.ts";
import { closeLoad, measureThroughput, openLoad } from "./throughput.ts";

const SAMPLE_MS = 50;
const PARTS = 10;

/** The least memory a server was seen with while it worked: what is left after its collector ran. */
async function floorDuring(server: Server, work: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(server.memoryBytes()), SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.min(...samples, server.memoryBytes());
}

/** The same events through each server, in turns; what each holds in the second half of it. */
async function floorsOf(loads: readonly Load[]): Promise<number[]> {
  const floors = loads.map(() => [] as number[]);
  for (let part = 0; part < PARTS; part += 1) {
    for (const [index, load] of loads.entries()) {
      const work = (): Promise<unknown> => measureThroughput(load, SIZES.history / PARTS, WINDOW);
      floors[index]?.push(await floorDuring(load.server, work));
    }
  }
  return floors.map((values) => median(values.slice(PARTS / 2)));
}

/**
 * Reads on until `count` events have come. Rejects when an event comes twice or out of order, and when the bus tells a
 * gap. Sequences grow but may skip numbers: the daemon stores events of its own between those of a worker.
 */
function readInOrder({ socket }: Client, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest = "";
    let seen = 0;
    let last = 0;
    socket.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString("latin1")).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const sequence = Number(/"sequence":(\d+),"subscriptionId"/.exec(line)?.[1]);
        if (!(sequence > last)) return reject(new Error(`${line.slice(0, 200)} came after sequence ${last}`));
        last = sequence;
        seen += 1;
      }
      return seen === count ? resolve() : undefined;
    });
    socket.resume();
  });
}

/** A subscriber that stops reading costs next to nothing, and gets everything when it reads on. */
export async function stalledReader(server: Server, control: Server, progress: Progress): Promise<Row[]> {
  const loads = [await openLoad(server, 1), await openLoad(control, 1)] as const;
  const stalled = await openClient(server.socket, "observer");
  await stalled.request({ cmd: "subscribe", topic: "worker.*.event" });
  stalled.socket.pause();
  progress(`${SIZES.history} events past a subscriber that does not read, and through a daemon without one`);
  const [during = Number.NaN, without = Number.NaN] = await floorsOf(loads);
  const startedAt = performance.now();
  await readInOrder(stalled, SIZES.history);
  const seconds = (performance.now() - startedAt) / 1000;
  stalled.close();
  for (const load of loads) closeLoad(load);
  const cost = Math.max(0, during - without) / 1e6;
  return [
    row("a subscriber that stops reading", cost, "MB more than without it", { atMost: 10 }),
    row("the same subscriber, reading on, all in order", SIZES.history / seconds, "events/s"),
  ];
}
