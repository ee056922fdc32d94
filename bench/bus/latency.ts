import { setTimeout } from "node:timers/promises";
import { countLines, publishFrame } from "./client.ts";
import type { Load } from "./throughput.ts";

/** The value that a share of the others does not pass. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Milliseconds from each publish to its delivery; the next is published when the last was answered and delivered. */
export function measureSingles({ publisher, subscribers: [reader] }: Load, count: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    if (reader === undefined) return reject(new Error("nobody listens"));
    const times: number[] = [];
    let sentAt = 0;
    let open = 0;
    const next = (): void => {
      if (times.length === count) {
        for (const { socket } of [publisher, reader]) socket.removeAllListeners("data");
        return resolve(times);
      }
      open = 2;
      sentAt = performance.now();
      return publisher.write(publishFrame(publisher.peerId));
    };
    reader.receive(() => {
      times.push(performance.now() - sentAt);
      if ((open -= 1) === 0) next();
    });
    publisher.receive(() => {
      if ((open -= 1) === 0) next();
    });
    return next();
  });
}

const TICK_MS = 5;

/** Publishes at a steady rate as long as asked; milliseconds from each publish to its delivery. */
export async function measurePaced(
  { publisher, subscribers: [reader] }: Load,
  { perSecond, going }: { readonly perSecond: number; readonly going: () => boolean },
): Promise<number[]> {
  const times: number[] = [];
  const sent: number[] = [];
  reader?.receive((chunk) => {
    const now = performance.now();
    for (let lines = countLines(chunk); lines > 0; lines -= 1) times.push(now - (sent[times.length] ?? now));
  });
  publisher.receive(() => undefined);
  const startedAt = performance.now();
  while (going()) {
    for (let due = ((performance.now() - startedAt) / 1000) * perSecond; sent.length < due;) {
      sent.push(performance.now());
      publisher.write(publishFrame(publisher.peerId));
    }
    await setTimeout(TICK_MS);
  }
  while (times.length < sent.length) await setTimeout(TICK_MS);
  for (const client of [publisher, reader]) client?.socket.removeAllListeners("data");
  return times;
}
