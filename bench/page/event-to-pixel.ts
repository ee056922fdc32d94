import type { Browser } from "playwright-core";
import { percentile } from "../bus/latency.ts";
import { startServer } from "../bus/server.ts";
import { sizeOf } from "../effort.ts";
import { median } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { openFleet } from "./fleet.ts";
import { openPage, untilTrue } from "./open-page.ts";

const PER_SECOND = 200;
const EVENTS = PER_SECOND * sizeOf(20, 1);
const WORKERS = sizeOf(50, 3);
/** Share of the events that has to be seen; the rest may have scrolled past between two frames. */
const LEAST_SEEN = 0.95;

/** Notes for each numbered event when the frame that shows it was painted, by the clock of the machine. */
const NOTE_EVENTS = `
globalThis.seen = new Map();
const fresh = () => [...document.querySelectorAll("main .event-text")]
  .map((line) => /pixel (\\d+)/.exec(line.textContent)?.[1])
  .filter((number) => number !== undefined && !seen.has(number));
new MutationObserver(() => {
  const numbers = fresh();
  if (numbers.length === 0) return;
  for (const number of numbers) seen.set(number, Infinity);
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { for (const number of numbers) seen.set(number, Date.now()); };
    channel.port2.postMessage(0);
  });
}).observe(document, { subtree: true, childList: true, characterData: true });
`;

/** Milliseconds from the publish of an event to the frame that shows it. */
export async function eventToPixel(browser: Browser, folder: string, progress: Progress): Promise<Row[]> {
  progress(`${PER_SECOND} events a second into an open list of events`);
  const server = await startServer("strict", folder);
  const fleet = await openFleet(server, WORKERS);
  try {
    const { page, context, show } = await openPage(browser, server, NOTE_EVENTS);
    await show("events");
    const sent = new Map<string, number>();
    const texts = Array.from({ length: EVENTS }, (_, index) => `pixel ${index}`);
    await fleet.steadily(PER_SECOND, texts, (text) => sent.set(text.slice("pixel ".length), Date.now()));
    await untilTrue(page, `Number.isFinite(seen.get("${EVENTS - 1}") ?? Infinity)`);
    const seen = new Map<string, number>(await page.evaluate("[...seen]"));
    await context.close();
    const times = [...seen].map(([number, at]) => at - (sent.get(number) ?? Number.NaN));
    if (times.length < EVENTS * LEAST_SEEN) throw new Error(`only ${times.length} of ${EVENTS} events were seen`);
    return [
      row(`event to pixel at ${PER_SECOND} events a second, median`, median(times), "ms"),
      row(`event to pixel at ${PER_SECOND} events a second, p95`, percentile(times, 0.95), "ms", { atMost: 100 }),
    ];
  } finally {
    await fleet.close();
    await server.stop();
  }
}
