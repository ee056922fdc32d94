import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { findChromium } from "../../packages/client/src/testing/chromium.ts";

/** A closed network: the browser's own services would only ask for what never comes. */
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

/** A browser that ends with the test. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("the test needs Chromium: see scripts/need-programs.mjs");
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  onTestFinished(() => browser.close());
  return browser;
}

/** A person with cookies and tabs of their own. */
export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts and refusals by the policy, which a test expects to be none. */
  readonly problems: string[];
}

export async function newPerson(browser: Browser): Promise<Person> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) problems.push(message.text());
  });
  return { context, page, problems };
}
