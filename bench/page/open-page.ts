import { setTimeout } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Server } from "../bus/server.ts";
import { openClient } from "../bus/client.ts";

const VIEWPORT = { width: 1280, height: 800 };

/** A link to the page of a daemon. */
async function linkOf({ socket }: Pick<Server, "socket">): Promise<string> {
  const client = await openClient(socket, "orchestrator");
  const { urls } = await client.request({ cmd: "page.open" });
  client.close();
  return String((urls as string[])[0]);
}

/** The page of a daemon in a browser, connected. */
export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Shows a part of the page, by what stands behind `#/`. */
  readonly show: (route: string) => Promise<void>;
}

/** Opens the page of a daemon in a context of its own. `before` runs in the page ahead of its own scripts. */
export async function openPage(browser: Browser, server: Pick<Server, "socket">, before?: string): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  if (before !== undefined) await page.addInitScript(before);
  await page.goto(await linkOf(server));
  await page.waitForSelector("text=live");
  return {
    page,
    context,
    show: async (route) => {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`);
      await page.waitForSelector("main > *");
    },
  };
}

const LOOK_MS = 20;

/** Resolves when an expression is true in the page. The page's policy forbids the browser's own way to wait. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  while ((await page.evaluate(expression)) !== true) await setTimeout(LOOK_MS);
}
