import type { Browser } from "playwright-core";
import { launchChromium } from "../packages/client/src/testing/launch-chromium.ts";
import { EFFORT } from "./effort.ts";
import { away } from "./page/away.ts";
import { daemonLoad } from "./page/daemon-load.ts";
import { eventToPixel } from "./page/event-to-pixel.ts";
import { firstPaintRows } from "./page/first-paint.ts";
import { heap } from "./page/heap.ts";
import { pageSize } from "./page/page-size.ts";
import { scrub } from "./page/scrub.ts";
import type { Progress, Row } from "./suite.ts";
import { requireDisk, withTempFolder } from "./temp-folder.ts";

const DISK_BYTES = EFFORT === "smoke" ? 1e8 : 2e9;

type Part = (browser: Browser, folder: string, progress: Progress) => Promise<Row[]>;

/** One log for both: it takes a while to write. */
const longLog: Part = async (...given) => [...(await away(...given)), ...(await scrub(...given))];

/** The page in a real browser, and what the page costs the daemon. */
export async function page(progress: Progress): Promise<Row[]> {
  const rows: Row[] = pageSize();
  const browser = await launchChromium();
  try {
    for (const measure of [firstPaintRows, eventToPixel, heap, longLog, daemonLoad]) {
      rows.push(
        ...(await withTempFolder((folder) => {
          requireDisk(folder, DISK_BYTES);
          return measure(browser, folder, progress);
        })),
      );
    }
    return rows;
  } finally {
    await browser.close();
  }
}
