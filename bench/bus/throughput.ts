import type { Client } from "./client.ts";
import { countLines, openClient, publishFrame } from "./client.ts";
import type { Server } from "./server.ts";

export interface Load {
  readonly server: Server;
  readonly publisher: Client;
  /** Clients whose deliveries are counted. */
  readonly subscribers: readonly Client[];
}

export async function openLoad(server: Server, subscribers: number): Promise<Load> {
  const readers: Client[] = [];
  for (let index = 0; index < subscribers; index += 1) {
    const reader = await openClient(server.socket, "observer");
    await reader.request({ cmd: "subscribe", topic: "worker.*.event" });
    readers.push(reader);
  }
  return { server, publisher: await openClient(server.socket, "worker"), subscribers: readers };
}

export function closeLoad({ publisher, subscribers }: Load): void {
  for (const client of [publisher, ...subscribers]) client.close();
}

export interface Throughput {
  readonly perSecond: number;
  /** Processor time of the server for each event, in microseconds. */
  readonly cpuMicros: number;
}

/** Keeps `window` publishes unanswered. Resolves when all are answered and delivered to everybody. */
function pump({ publisher, subscribers }: Load, events: number, window: number): Promise<void> {
  return new Promise((resolve) => {
    const deliveries = events * subscribers.length;
    let sent = 0;
    let acked = 0;
    let delivered = 0;
    const detach = (): void => {
      for (const { socket } of [publisher, ...subscribers]) socket.removeAllListeners("data");
      resolve();
    };
    const fill = (): void => {
      const frames: string[] = [];
      for (; sent < events && sent - acked < window; sent += 1) frames.push(publishFrame(publisher.peerId));
      if (frames.length > 0) publisher.write(frames.join(""));
    };
    for (const subscriber of subscribers) {
      subscriber.receive((chunk) => {
        delivered += countLines(chunk);
        if (acked === events && delivered === deliveries) detach();
      });
    }
    publisher.receive((chunk) => {
      acked += countLines(chunk);
      if (acked === events && delivered === deliveries) return detach();
      return fill();
    });
    fill();
  });
}

export async function measureThroughput(load: Load, events: number, window: number): Promise<Throughput> {
  const cpuBefore = load.server.cpuSeconds();
  const startedAt = performance.now();
  await pump(load, events, window);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = load.server.cpuSeconds() - cpuBefore;
  return { perSecond: events / seconds, cpuMicros: (cpu / events) * 1e6 };
}
