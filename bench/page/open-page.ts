import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { findChromium } from "../../packages/client/src/testing/chromium.ts";
import type { Server } from "../bus/server.ts";
import { openClient } from "../bus/client.ts";

/** The network of the machine may be closed: the browser's own services would only ask for what never comes. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/** Starts a browser. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("no Chromium: install one, or name it with CHROME_PATH");
  return chromium.launch({ executablePath, args: FLAGS });
}

/** A link to the page of a daemon. */
export async function linkOf({ socket }: Pick<Server, "socket">): Promise<string> {
  const client = await openClient(socket, "orchestrator");
  const { urls } = await client.request({ cmd: "page.open" });
  client.close();
  return String((urls as string[])[0]);
}
