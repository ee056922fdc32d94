import { LIMITS } from "claw-contract";
import type { Browser } from "playwright-core";
import { openClient } from "../bus/client.ts";
import { percentile } from "../bus/latency.ts";
import type { Server } from "../bus/server.ts";
import { startServer } from "../bus/server.ts";
import { sizeOf } from "../effort.ts";
import { median } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { spreadLog } from "./long-log.ts";
import { openPage, untilTrue } from "./open-page.ts";

const SPAN_MS = 2 * 60 * 60_000;
const SCRUBS = sizeOf(100, 5);

/** Drags the slider to a time, and tells how long it took until the page showed that second. */
const DRAG = `
globalThis.drag = (at) => new Promise((resolve) => {
  const slider = document.querySelector(".scrubber input");
  const two = (value) => String(value).padStart(2, "0");
  const started = performance.now();
  slider.value = String(at);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  const date = new Date(slider.valueAsNumber);
  const wanted = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  const look = () => {
    if (!(document.querySelector(".banner-past")?.textContent ?? "").includes(wanted)) return requestAnimationFrame(look);
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(performance.now() - started);
    channel.port2.postMessage(0);
  };
  look();
});
`;

/** The daemon keeps states while a log grows in its own time; this log grew in seconds. */
async function keepStates({ socket }: Server): Promise<void> {
  const client = await openClient(socket, "observer");
  const { moment } = await client.request({ cmd: "moment.show", endedWithinMs: 0 });
  const { head } = moment as { head: string };
  const [epoch, last] = head.split(":");
  const { momentSpacing } = LIMITS;
  for (let at = momentSpacing; at < Number(last); at += momentSpacing) {
    const asked = { cmd: "moment.show", at: `${epoch}:${at}`, endedWithinMs: 0 };
    for (let answer = await client.request(asked); answer["ready"] !== true;) answer = await client.request(asked);
  }
  client.close();
}

/** The seconds to look at, spread over the log as a person never would: each far from the one before. */
function scatteredTimes({ from, to }: { from: number; to: number }): number[] {
  const golden = (Math.sqrt(5) - 1) / 2;
  return Array.from({ length: SCRUBS }, (_, index) => Math.round(from + (((index + 1) * golden) % 1) * (to - from)));
}

/** How soon the page shows a moment that a person drags to, in the log that a folder holds. */
export async function scrub(browser: Browser, folder: string, progress: Progress): Promise<Row[]> {
  progress("dragging the page to seconds of a two-hour log");
  const range = spreadLog(folder, SPAN_MS);
  const server = await startServer("relaxed", folder, { folder });
  try {
    await keepStates(server);
    const { page, context, show } = await openPage(browser, server, DRAG);
    await show("timeline");
    await page.getByRole("button", { name: "All" }).click();
    await untilTrue(page, `Number(document.querySelector(".scrubber input").min) <= ${range.from + 60_000}`);
    const times: number[] = [];
    for (const at of scatteredTimes(range)) times.push(Number(await page.evaluate(`drag(${at})`)));
    await context.close();
    return [
      row("a second of a two-hour log, median", median(times), "ms"),
      row("a second of a two-hour log, p95", percentile(times, 0.95), "ms"),
      row("a second of a two-hour log, slowest", Math.max(...times), "ms", { atMost: 300 }),
    ];
  } finally {
    await server.stop();
  }
}
