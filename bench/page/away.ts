import { setTimeout } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { startServer } from "../bus/server.ts";
import { sizeOf } from "../effort.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { openFleet } from "./fleet.ts";
import { openPage } from "./open-page.ts";

export const AWAY_EVENTS = sizeOf(720_000, 5000);
const WORKERS = sizeOf(50, 3);
/** After this time a hidden page takes no events in, as `watch-hidden.ts` says. */
const HIDDEN_MS = sizeOf(31_000, 100);
/** The daemon keeps a state of the past every two seconds at most; at a usual rate it keeps one every few events. */
const PIECE = sizeOf(20_000, 5000);
const LAST = "the last event of all";

/** Makes the page believe that its tab is hidden, or not. */
const SEEM = `
globalThis.seem = (state) => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  Object.defineProperty(document, "hidden", { configurable: true, get: () => state === "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
};
globalThis.backAt = (text) => new Promise((resolve) => {
  const started = performance.now();
  const look = () => {
    const lines = [...document.querySelectorAll("main .event-text")];
    if (!lines.some((line) => line.textContent === text)) return requestAnimationFrame(look);
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(performance.now() - started);
    channel.port2.postMessage(0);
  };
  look();
});
`;

/** How soon a page that was away shows the present again. Leaves the log in its folder. */
export async function away(browser: Browser, folder: string, progress: Progress): Promise<Row[]> {
  progress(`${AWAY_EVENTS} events while the page is hidden`);
  const server = await startServer("relaxed", folder, { folder });
  const fleet = await openFleet(server, WORKERS);
  try {
    const { page, context, show } = await openPage(browser, server, SEEM);
    // The list shows that event alone: what the workers say later cannot push it out of view.
    await show(`events?text=${encodeURIComponent(LAST)}`);
    await page.evaluate(`seem("hidden")`);
    await setTimeout(HIDDEN_MS);
    for (let left = AWAY_EVENTS; left > 0; left -= PIECE) await fleet.quickly(Math.min(PIECE, left));
    await fleet.steadily(1, [LAST]);
    const ms = await page.evaluate(`seem("visible"), backAt(${JSON.stringify(LAST)})`);
    await context.close();
    return [row(`a hidden tab comes back after ${AWAY_EVENTS} events`, Number(ms), "ms", { atMost: 1000 })];
  } finally {
    await fleet.close();
    await server.stop();
  }
}
