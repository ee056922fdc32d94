import type { Browser } from "playwright-core";
import { onTestFinished } from "vitest";
import { launchChromium } from "./launch-chromium.ts";

/** A browser that ends with the test. */
export async function startChromium(): Promise<Browser> {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  return browser;
}

/** Opens a page in a browser of its own, which ends with the test. */
export async function openPage(url: string): Promise<void> {
  const browser = await startChromium();
  const page = await browser.newPage();
  await page.goto(url);
}
