import { readdirSync, readFileSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startServer } from "../bus/server.ts";
import { sizeOf } from "../effort.ts";
import { median } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { openFleet } from "./fleet.ts";
import { openPage, untilTrue } from "./open-page.ts";

const ROUNDS = sizeOf(15, 2);
const WORKERS = sizeOf(50, 3);
const ASSETS = new URL("../../packages/claw/dist/page/assets/", import.meta.url);

/** Notes when the first worker is in the page and the page has come to rest, so that a key would be answered. */
const NOTE_READY = `
const look = () => {
  if (document.querySelector("main [data-row]") === null) return requestAnimationFrame(look);
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { globalThis.readyAt = performance.now(); };
  channel.port2.postMessage(0);
};
requestAnimationFrame(look);
`;

/** Serves a page that only prints HTML, with the styles of the real page. */
async function serveHtml(html: string): Promise<HttpServer> {
  const styles = readdirSync(ASSETS).filter((name) => name.endsWith(".css.br"));
  const bodies = new Map(styles.map((name) => [name.slice(0, -3), readFileSync(new URL(name, ASSETS))]));
  const server = createServer(({ url = "" }, response) => {
    const css = bodies.get(url.split("/").at(-1) ?? "");
    if (css === undefined) return response.setHeader("content-type", "text/html; charset=utf-8").end(html);
    response.setHeader("content-type", "text/css").setHeader("content-encoding", "br").end(css);
    return undefined;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** When a page painted its first content, in milliseconds after the navigation began. */
async function firstPaint(page: Page): Promise<number> {
  const paint = `performance.getEntriesByName("first-contentful-paint")[0]?.startTime`;
  await untilTrue(page, `${paint} !== undefined`);
  return Number(await page.evaluate(paint));
}

/** Loads an address as a person does who never was here: nothing is in the browser's cache. */
async function visit<T>(
  browser: Browser,
  url: string,
  state: Awaited<ReturnType<BrowserContext["storageState"]>>,
  look: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ storageState: state, viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(NOTE_READY);
    await page.goto(url);
    return await look(page);
  } finally {
    await context.close();
  }
}

interface Visit {
  readonly paintMs: number;
  readonly readyMs: number;
}

async function visitPage(page: Page): Promise<Visit> {
  const paintMs = await firstPaint(page);
  await untilTrue(page, "globalThis.readyAt !== undefined");
  // The page is used at once: a key has to be answered.
  await page.keyboard.press("2");
  await page.getByRole("heading", { name: "Needs you" }).waitFor();
  return { paintMs, readyMs: Number(await page.evaluate("globalThis.readyAt")) };
}

/** The page beside a page that only prints the HTML which ours has when all is there. */
async function measureVisits(browser: Browser, socket: string): Promise<{ visits: Visit[]; printed: number[] }> {
  const { page, context } = await openPage(browser, { socket });
  await page.waitForSelector("main [data-row]");
  const [state, url, html] = [await context.storageState(), page.url(), await page.content()];
  await context.close();
  const printer = await serveHtml(html.replaceAll(/<script[^]*?<\/script>|<link rel="modulepreload"[^>]*>/g, ""));
  const printerUrl = `http://127.0.0.1:${(printer.address() as AddressInfo).port}/`;
  const result = { visits: [] as Visit[], printed: [] as number[] };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const visited = await visit(browser, url, state, visitPage);
      const printed = await visit(browser, printerUrl, state, firstPaint);
      // The first round fills the caches of the system.
      if (round === 0) continue;
      result.visits.push(visited);
      result.printed.push(printed);
    }
    return result;
  } finally {
    printer.close();
    printer.closeAllConnections();
  }
}

/** How soon a person sees something, and can use it. */
export async function firstPaintRows(browser: Browser, folder: string, progress: Progress): Promise<Row[]> {
  progress(`opening the page of a daemon with ${WORKERS} workers, and a page that only prints the same HTML`);
  const server = await startServer("strict", folder);
  const fleet = await openFleet(server, WORKERS);
  try {
    const { visits, printed } = await measureVisits(browser, server.socket);
    const paint = median(visits.map(({ paintMs }) => paintMs));
    return [
      row("first contentful paint", paint, "ms"),
      row("first contentful paint", paint / median(printed), "× a page that only prints the same HTML", {
        atMost: 1.5,
      }),
      row(
        "interactive: the workers are there, and keys are answered",
        median(visits.map(({ readyMs }) => readyMs)),
        "ms",
        {
          atMost: 1000,
        },
      ),
    ];
  } finally {
    await fleet.close();
    await server.stop();
  }
}
