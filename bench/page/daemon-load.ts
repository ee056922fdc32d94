import { setTimeout } from "node:timers/promises";
import { openClient } from "../bus/client.ts";
import type { Client } from "../bus/client.ts";
import type { Server } from "../bus/server.ts";
import { startServer } from "../bus/server.ts";
import { sizeOf } from "../effort.ts";
import { median } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { launchBrowser, linkOf } from "./open-page.ts";

const PER_SECOND = 200;
const SECONDS = sizeOf(10, 1);
const ROUNDS = sizeOf(3, 1);

/** Publishes at a steady rate, whatever the machine does: what is late is sent at once. */
async function publishSteadily(client: Client): Promise<void> {
  const started = performance.now();
  for (let sent = 0; sent < PER_SECOND * SECONDS; sent += 1) {
    const due = started + (sent * 1000) / PER_SECOND;
    const wait = due - performance.now();
    if (wait > 0) await setTimeout(wait);
    const payload = { sent, text: "x".repeat(200) };
    client.write(`${JSON.stringify({ id: `p${sent}`, cmd: "publish", topic: "note.bench", payload })}\n`);
  }
}

/** How much of a core the daemon uses while events come, in percent. */
async function busyPercent(server: Server, client: Client): Promise<number> {
  const before = server.cpuSeconds();
  const started = performance.now();
  await publishSteadily(client);
  return ((server.cpuSeconds() - before) / ((performance.now() - started) / 1000)) * 100;
}

async function measureRounds(server: Server): Promise<readonly { alone: number; open: number }[]> {
  const [client, browser] = [await openClient(server.socket, "orchestrator"), await launchBrowser()];
  const rounds: { alone: number; open: number }[] = [];
  client.receive(() => undefined);
  try {
    await busyPercent(server, client);
    for (let round = 0; round < ROUNDS; round += 1) {
      const alone = await busyPercent(server, client);
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(await linkOf(server), { waitUntil: "networkidle" });
      rounds.push({ alone, open: await busyPercent(server, client) });
      await context.close();
    }
    return rounds;
  } finally {
    await browser.close();
    client.close();
  }
}

/** What an open page costs the daemon. */
export async function daemonLoad(folder: string, progress: Progress): Promise<Row[]> {
  progress(`an open page, ${PER_SECOND} events a second`);
  const server = await startServer("strict", folder);
  try {
    const rounds = await measureRounds(server);
    const paid = median(rounds.map(({ alone, open }) => open - alone));
    return [
      row(`the daemon at ${PER_SECOND} events a second`, median(rounds.map(({ alone }) => alone)), "% of a core"),
      row("the daemon, for an open page besides", paid, "% of a core", { atMost: 5 }),
    ];
  } finally {
    await server.stop();
  }
}
