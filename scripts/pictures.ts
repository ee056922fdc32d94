import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { launchChromium } from "../packages/client/src/testing/launch-chromium.ts";
import type { DemoScene } from "./pictures/demo-scene.ts";
import { openDemoScene } from "./pictures/demo-scene.ts";
import type { DocPicture } from "./pictures/picture-list.ts";
import { PICTURES } from "./pictures/picture-list.ts";
import { smallPng } from "./pictures/small-png.ts";

const FOLDER = fileURLToPath(new URL("../docs/pictures", import.meta.url));
const SIZES = { desktop: { width: 1280, height: 660 }, phone: { width: 390, height: 780 } } as const;

async function take(page: Page, scene: DemoScene, { name, theme, size, prepare }: DocPicture): Promise<void> {
  await page.setViewportSize(SIZES[size]);
  await page.emulateMedia({ colorScheme: theme });
  await prepare(page, scene);
  // Nothing is focused or pointed at, unless the picture is about it.
  await page.mouse.move(0, 0);
  const png = smallPng(await page.screenshot({ caret: "initial" }));
  writeFileSync(join(FOLDER, `${name}.png`), png);
  console.log(`${name}.png  ${Math.round(png.length / 1000)} kB`);
}

/** Plays the demonstration, and takes the pictures of the documentation from its page. */
async function takeAll(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "claw-pictures-")));
  const browser = await launchChromium();
  try {
    const scene = await openDemoScene(browser, folder);
    try {
      for (const picture of PICTURES) await take(scene.page, scene, picture);
    } finally {
      await scene.close();
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

mkdirSync(FOLDER, { recursive: true });
for (const old of readdirSync(FOLDER)) rmSync(join(FOLDER, old));
await takeAll();
