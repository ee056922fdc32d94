import type { Browser } from "playwright-core";
import type { Server } from "../bus/server.ts";
import { startServer } from "../bus/server.ts";
import { sizeOf } from "../effort.ts";
import { median } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import type { Fleet } from "./fleet.ts";
import { openFleet } from "./fleet.ts";
import { openPage } from "./open-page.ts";

const PER_SECOND = 200;
const SECONDS = sizeOf(10, 1);
const ROUNDS = sizeOf(5, 1);
const WORKERS = sizeOf(50, 3);

const TEXTS = Array.from({ length: PER_SECOND * SECONDS }, (_, index) => `step ${index} is done`);

/** How much of a core the daemon uses while events come, in percent. */
async function busyPercent(server: Server, fleet: Fleet): Promise<number> {
  const before = server.cpuSeconds();
  const started = performance.now();
  await fleet.steadily(PER_SECOND, TEXTS);
  return ((server.cpuSeconds() - before) / ((performance.now() - started) / 1000)) * 100;
}

/** The same without a page and with an open one, in turns. */
async function measureRounds(server: Server, browser: Browser): Promise<readonly { alone: number; open: number }[]> {
  const fleet = await openFleet(server, WORKERS);
  const rounds: { alone: number; open: number }[] = [];
  await busyPercent(server, fleet);
  for (let round = 0; round < ROUNDS; round += 1) {
    const alone = await busyPercent(server, fleet);
    const { context, show } = await openPage(browser, server);
    await show("workers");
    rounds.push({ alone, open: await busyPercent(server, fleet) });
    await context.close();
  }
  await fleet.close();
  return rounds;
}

/** What an open page costs the daemon. */
export async function daemonLoad(browser: Browser, folder: string, progress: Progress): Promise<Row[]> {
  progress(`${WORKERS} workers, ${PER_SECOND} events a second, with an open page and without`);
  const server = await startServer("strict", folder);
  try {
    const rounds = await measureRounds(server, browser);
    const paid = median(rounds.map(({ alone, open }) => open - alone));
    return [
      row(`the daemon at ${PER_SECOND} events a second`, median(rounds.map(({ alone }) => alone)), "% of a core"),
      row("the daemon, for an open page besides", paid, "% of a core", { atMost: 5 }),
    ];
  } finally {
    await server.stop();
  }
}
