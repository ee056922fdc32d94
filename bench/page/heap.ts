import type { Browser, Page } from "playwright-core";
import { startServer } from "../bus/server.ts";
import { sizeOf } from "../effort.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { openFleet } from "./fleet.ts";
import { openPage, untilTrue } from "./open-page.ts";

const EVENTS = sizeOf(100_000, 3000);
const WORKERS = sizeOf(50, 3);

/** Bytes that the page's script keeps, after what it no longer uses is gone. */
async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize;
}

/** Events that the page says to have. */
const COUNT = `Number(document.querySelector("main .count-text")?.dataset.kept ?? 0)`;

/** Memory of a page that has followed many events. */
export async function heap(browser: Browser, folder: string, progress: Progress): Promise<Row[]> {
  progress(`${EVENTS} events into an open page`);
  const server = await startServer("relaxed", folder);
  const fleet = await openFleet(server, WORKERS);
  try {
    const { page, context, show } = await openPage(browser, server);
    await show("events");
    const empty = await heapBytes(page);
    await fleet.quickly(EVENTS);
    await untilTrue(page, `${COUNT} >= ${EVENTS}`);
    const full = await heapBytes(page);
    await context.close();
    return [
      row("heap of the page with a few events", empty / 1e6, "MB"),
      row(`heap of the page with ${EVENTS} events`, full / 1e6, "MB", { atMost: 150 }),
    ];
  } finally {
    await fleet.close();
    await server.stop();
  }
}
