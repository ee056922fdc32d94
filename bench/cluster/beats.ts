import { randomUUID } from "node:crypto";
import type { Client } from "../bus/client.ts";
import type { Counts } from "./crowd-messages.ts";

const TICK_MS = 10;
const OK = '"ok":true';

/** Workers that send heartbeats until they are stopped. */
export interface Beats {
  /** Boots a worker, and lets it send a heartbeat at once, and more from then on. */
  add(client: Client): Promise<void>;
  counts(): Counts;
  /** Resolves when each heartbeat is acknowledged. */
  stop(): Promise<void>;
}

interface Worker {
  readonly client: Client;
  dueAt: number;
  sent: number;
}

const BOOT = { model: "m", role: "worker", mission_summary: "Beat", cwd: "/", terminal_id: "" };

const frameOf = ({ peerId }: Client, kind: "boot" | "heartbeat", data: object): string => {
  const sent = {
    v: 1,
    id: randomUUID(),
    from_peer: peerId,
    from_name: "bench-worker",
    ts_published: new Date().toISOString(),
    schema: `worker-${kind}-v1`,
    data,
  };
  return `${JSON.stringify({ id: sent.id, cmd: "publish", topic: `worker.${peerId}.${kind}`, payload: sent })}\n`;
};

const heartbeat = ({ client, sent }: Worker): string => {
  const data = { current_phase: "PLAN", time_in_phase_ms: 1000, tokens_used: sent, cost_usd: 0 };
  return frameOf(client, "heartbeat", data);
};

/** Calls `take` with each whole line. */
function eachLine(client: Client, take: (line: string) => void): void {
  let rest = "";
  client.receive((chunk) => {
    const lines = `${rest}${chunk.toString("latin1")}`.split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  });
}

/** Spreads the heartbeats of all workers over the time between two of one worker. */
export function createBeats(everyMs: number): Beats {
  const workers: Worker[] = [];
  const counts = { sent: 0, acknowledged: 0, refused: null as string | null, latestMs: 0 };
  let settled = (): void => undefined;
  const send = (worker: Worker, now: number): void => {
    worker.sent += 1;
    counts.sent += 1;
    counts.latestMs = Math.max(counts.latestMs, now - worker.dueAt);
    worker.dueAt += everyMs;
    worker.client.write(heartbeat(worker));
  };
  const timer = setInterval(() => {
    const now = performance.now();
    for (const worker of workers) if (worker.dueAt <= now) send(worker, now);
  }, TICK_MS);
  const take = (line: string): void => {
    counts.acknowledged += 1;
    if (!line.includes(OK)) counts.refused ??= line;
    settled();
  };
  return {
    counts: () => {
      const { latestMs } = counts;
      counts.latestMs = 0;
      return { ...counts, latestMs };
    },
    add: (client) =>
      new Promise((resolve, reject) => {
        let isBooted = false;
        eachLine(client, (line) => {
          if (isBooted) return take(line);
          if (!line.includes(OK)) return reject(new Error(line));
          isBooted = true;
          const worker = { client, dueAt: performance.now(), sent: 0 };
          send(worker, worker.dueAt);
          worker.dueAt += (Math.random() - 1) * everyMs;
          workers.push(worker);
          return resolve();
        });
        client.write(frameOf(client, "boot", BOOT));
      }),
    stop: async () => {
      clearInterval(timer);
      while (counts.acknowledged < counts.sent) await new Promise<void>((resolve) => (settled = resolve));
    },
  };
}
