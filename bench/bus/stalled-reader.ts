import { setInterval, clearInterval } from "node:timers";
import { median } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import type { Client } from "./client.ts";
import { openClient } from "./client.ts";
import type { Server } from "./server.ts";
import { SIZES, WINDOW } from "./sizes.ts";
import { closeLoad, measureThroughput, openLoad } from "./throughput.ts";

const SAMPLE_MS = 100;
/** Events until the memory of ids of events is full and the process has its usual size. */
const WARM_UP_EVENTS = 250_000;

async function memoryDuring(server: Server, work: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(server.memoryBytes()), SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return median(samples.slice(Math.floor(samples.length / 2)));
}

/** Reads on until `count` events have come. Rejects when one is missing, twice there, or out of order. */
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
        if (last !== 0 && sequence !== last + 1) return reject(new Error(`${sequence} came after ${last}`));
        last = sequence;
        seen += 1;
      }
      return seen === count ? resolve() : undefined;
    });
    socket.resume();
  });
}

/** A subscriber that stops reading costs next to nothing, and gets everything when it reads on. */
export async function stalledReader(server: Server, progress: Progress): Promise<Row[]> {
  const load = await openLoad(server, 1);
  progress("filling the daemon's memory of events");
  await measureThroughput(load, WARM_UP_EVENTS, WINDOW);
  const before = await memoryDuring(server, () => measureThroughput(load, WARM_UP_EVENTS, WINDOW));
  const stalled = await openClient(server.socket, "observer");
  await stalled.request({ cmd: "subscribe", topic: "worker.*.event" });
  stalled.socket.pause();
  progress(`${SIZES.history} events past a subscriber that does not read`);
  const during = await memoryDuring(server, () => measureThroughput(load, SIZES.history, WINDOW));
  const startedAt = performance.now();
  await readInOrder(stalled, SIZES.history);
  const seconds = (performance.now() - startedAt) / 1000;
  stalled.close();
  closeLoad(load);
  return [
    row("a subscriber that stops reading", Math.max(0, during - before) / 1e6, "MB of the daemon", { atMost: 30 }),
    row("the same subscriber, reading on, all in order", SIZES.history / seconds, "events/s"),
  ];
}
