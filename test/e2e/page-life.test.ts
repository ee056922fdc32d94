import type { FakeScenarioText } from "claw-contract/schemas";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { connectWire, killHard, readLog, startDaemon } from "./daemon-process.ts";
import { holdBack, isLive, openPageScene, sees } from "./page-scene.ts";
import { clawJson } from "./run-claw.ts";

const ASKS: FakeScenarioText = {
  steps: [
    {
      type: "permission",
      tool: "Bash",
      input: { command: "rm -rf build" },
      reason: "rm -rf needs permission",
      output: "removed",
      allowed: [{ type: "text", text: "The old build is gone." }],
      denied: [{ type: "text", text: "I was not allowed." }],
    },
  ],
};

const reached = (page: Page): Locator => page.locator(".ladder .reached");

test("an approval that is clicked climbs its ladder step by step, and the work is verified", async () => {
  const { page, spawn, show, person } = await openPageScene();
  const wire = await holdBack(page);
  await spawn(ASKS, "--name", "cleanup", "--check", "true");
  await show("needs");
  const approve = page.getByRole("button", { name: /^Approve/ });
  await approve.waitFor();
  await expect.poll(() => page.title()).toMatch(/^\(1\) cleanup: Bash: rm -rf build · /);
  wire.hold();
  await approve.click();
  await expect.poll(() => approve.isDisabled()).toBe(true);
  wire.releaseUntil("system.command.queued");
  await expect.poll(() => reached(page).allTextContents()).toEqual(["accepted", "queued"]);
  wire.releaseUntil("system.command.acked");
  await expect.poll(() => reached(page).allTextContents()).toEqual(["accepted", "queued", "acked"]);
  wire.release();
  await expect.poll(() => reached(page).allTextContents()).toEqual(["accepted", "queued", "acked", "applied"]);
  await sees(page, "Approved by you");
  await page.locator(".card .pill", { hasText: "verified" }).waitFor();
  await page.getByRole("button", { name: /^Accept/ }).click();
  await show("workers");
  await page.locator(".worker-line", { hasText: "cleanup" }).locator(".pill", { hasText: "accepted" }).waitFor();
  expect(person.problems).toEqual([]);
});

const BUSY: FakeScenarioText = {
  steps: [
    { type: "tool", name: "Bash", input: { command: "npm test" }, output: "green" },
    { type: "wait", ms: 600_000 },
  ],
};

/** Numbers of the notes that the list of events shows, read from its top to its end. */
async function notesOn(page: Page): Promise<number[]> {
  const seen = new Map<string, number>();
  const list = page.getByRole("region", { name: "Events" });
  await page.getByRole("button", { name: /^follow/, pressed: true }).click();
  await list.evaluate((box) => void Object.assign(box, { scrollTop: 0 }));
  for (let place = 1; ; place += 1) {
    const row = list.locator(`[aria-posinset="${place}"]`);
    await row.waitFor();
    const [setSize, text] = [await row.getAttribute("aria-setsize"), await row.locator(".event-text").textContent()];
    seen.set(`${place}`, Number(text));
    await row.scrollIntoViewIfNeeded();
    if (place === Number(setSize)) return [...seen.values()];
  }
}

/** Publishes so many notes as an orchestrator of its own. */
async function publishNotes(socket: string, from: number, count: number): Promise<void> {
  const client = await connectWire(socket);
  await client.hello("orchestrator");
  for (let number = from; number < from + count; number += 1) {
    expect(await client.publish("note.count", { text: String(number) })).toMatchObject({ ok: true });
  }
  client.close();
}

test("a daemon that is restarted, and killed, midway loses and repeats no event on an open page", async () => {
  const { page, daemon, workspace, spawn, show, person } = await openPageScene();
  const worker = await spawn(BUSY, "--name", "steady");
  await page.evaluate("globalThis.isTheSamePage = true");
  await show("events?topic=note.*");
  await publishNotes(daemon.socket, 0, 40);
  await sees(page, "40 of ");
  await clawJson(workspace, ["down"]);
  const away = page.getByRole("alert").filter({ hasText: "The daemon does not answer" });
  await away.waitFor();
  await sees(page, "claw up");
  await page.getByRole("status", { name: "Connection: disconnected" }).waitFor();
  const second = await startDaemon(workspace);
  await publishNotes(second.socket, 40, 40);
  await isLive(page);
  await sees(page, "80 of ");
  await publishNotes(second.socket, 80, 20);
  await killHard(second.pid);
  await away.waitFor();
  await show(`worker/${worker.id}/about`);
  expect(await page.getByRole("button", { name: "Pause" }).isDisabled()).toBe(true);
  const third = await startDaemon(workspace);
  await publishNotes(third.socket, 100, 20);
  await isLive(page);
  await away.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Pause", disabled: false }).waitFor();
  await show("events?topic=note.*");
  await sees(page, "120 of ");
  expect(await notesOn(page)).toEqual(Array.from({ length: 120 }, (_, number) => number));
  const stored = readLog(workspace).filter(({ topic }) => topic === "note.count");
  expect(stored).toHaveLength(120);
  await show("events");
  await expect
    .poll(async () => (await page.locator(".count-text").textContent())?.split(" of "))
    .toEqual([String(readLog(workspace).length), String(readLog(workspace).length)]);
  expect(await page.evaluate("globalThis.isTheSamePage")).toBe(true);
  expect(person.problems).toEqual([]);
});
