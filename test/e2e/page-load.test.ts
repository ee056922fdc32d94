import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { connectWire } from "./daemon-process.ts";
import { effort } from "./effort.ts";
import type { PageScene } from "./page-scene.ts";
import { openPageScene, sees } from "./page-scene.ts";
import type { SpawnedWorker } from "./worker-scene.ts";

const WORKERS = effort(6, 50);
const EVENTS = effort(6000, 100_000);
/** The page keeps the newest 100,000 events; a few of these are about the workers. */
const OF_NOTES = 0.98;
/** Publishes that are under way at once. */
const WINDOW = 200;
/** Elements that a view may draw, however much there is. */
const MOST_ELEMENTS = 4000;
/** A lane draws up to 125 marks. */
const MOST_IN_TIMELINE = 30_000;
const MOST_HEAP_BYTES = 150 * 1024 * 1024;

async function startWorkers({ spawn }: PageScene): Promise<SpawnedWorker[]> {
  const workers: SpawnedWorker[] = [];
  for (let number = 1; number <= WORKERS; number += 1) {
    workers.push(await spawn({ steps: [{ type: "wait", ms: 3_600_000 }] }, "--name", `worker-${number}`));
  }
  return workers;
}

/** Publishes events as fast as they are stored. */
async function publishAll(socket: string): Promise<void> {
  const client = await connectWire(socket);
  await client.hello("orchestrator");
  for (let sent = 0; sent < EVENTS; sent += WINDOW) {
    const window = Array.from({ length: WINDOW - 1 }, (_, index) => sent + index);
    for (const number of window) {
      client.send({ cmd: "publish", topic: "note.load", payload: { text: `note ${number}` } });
    }
    expect(await client.publish("note.load", { text: "the end of a window" })).toMatchObject({ ok: true });
  }
  client.close();
}

const elementsOn = (page: Page): Promise<number> => page.evaluate(`document.querySelectorAll("*").length`);

async function heapBytes(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = (await devtools.send("Runtime.getHeapUsage")) as { usedSize: number };
  return usedSize;
}

/** Places of the rows that a list draws. */
const drawnRows = (page: Page): Promise<number[]> =>
  page.evaluate(
    `[...document.querySelectorAll(".virtual-row")].map((each) => Number(each.getAttribute("aria-posinset")))`,
  );

test(`with ${WORKERS} workers and ${EVENTS} events, the page draws what is in view, and everything works`, async () => {
  const scene = await openPageScene();
  const { page, show, daemon, person } = scene;
  const workers = await startWorkers(scene);
  await show("workers");
  await page.getByRole("link", { name: `Workers ${WORKERS}` }).waitFor();
  await show("events?topic=note.load");
  await publishAll(daemon.socket);
  await expect.poll(async () => (await drawnRows(page)).at(-1)).toBeGreaterThan(EVENTS * OF_NOTES);
  expect(await elementsOn(page)).toBeLessThan(MOST_ELEMENTS);
  await page.keyboard.press("f");
  await page.locator(".virtual").evaluate((list) => void Object.assign(list, { scrollTop: 0 }));
  await expect.poll(async () => (await drawnRows(page))[0]).toBe(1);
  expect((await drawnRows(page)).length).toBeLessThan(100);
  await page.getByRole("textbox", { name: "Text", exact: true }).fill(`note ${EVENTS - 3}`);
  await expect.poll(() => page.locator("button.event").count()).toBe(1);
  await page.locator("button.event").click();
  await page.locator(".event-detail .json", { hasText: `note ${EVENTS - 3}` }).waitFor();

  await show("timeline");
  await sees(page, "worker-1");
  expect(await elementsOn(page)).toBeLessThan(MOST_IN_TIMELINE);
  await show("cost");
  await sees(page, "By worker");
  await show("workers");
  await page.locator(".worker-line").first().waitFor();
  expect(await elementsOn(page)).toBeLessThan(MOST_ELEMENTS);
  const last = workers.at(-1);
  await show(`worker/${last?.id}/about`);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator(".run-buttons .ladder .reached", { hasText: "applied" }).waitFor();
  await page.locator(".worker-head .pill", { hasText: "paused" }).waitFor();
  expect(await heapBytes(page)).toBeLessThan(MOST_HEAP_BYTES);
  expect(person.problems).toEqual([]);
});
