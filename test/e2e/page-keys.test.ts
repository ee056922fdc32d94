import type { FakeScenarioText } from "claw-contract/schemas";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { connectWire, killHard } from "./daemon-process.ts";
import { isLive, openPageScene, showIn } from "./page-scene.ts";
import { makeRepository } from "./work-scene.ts";

const WORKS: FakeScenarioText = {
  steps: [
    { type: "text", text: "I look around." },
    { type: "wait", ms: 600_000 },
  ],
};

/** The tab of a worker that is open. */
const openTab = (page: Page): Promise<string | null> => page.locator(".tabs a[aria-current]").textContent();

/** The span of time that the timeline shows, in milliseconds. */
async function spanOf(page: Page): Promise<{ readonly from: number; readonly span: number }> {
  const slider = page.getByRole("slider", { name: "Moment that the page shows" });
  const [from, to] = [Number(await slider.getAttribute("min")), Number(await slider.getAttribute("max"))];
  return { from, span: to - from };
}

test("each key of the list does what the list says, and letters in a field are text", async () => {
  const { page, spawn, show, workspace, person } = await openPageScene();
  makeRepository(workspace);
  const worker = await spawn(WORKS, "--name", "first", "--worktree");
  await spawn(WORKS, "--name", "second");
  await page.keyboard.press("?");
  const listed = await page.getByRole("dialog", { name: "Keys" }).locator("kbd").allTextContents();
  expect(listed.join(" ")).toBe("1 … 5 j  k Enter / l Esc ? y n t c h e m Esc f +  - [  ] Shift+Tab");
  await page.keyboard.press("Escape");

  const focused = (): Promise<unknown> => page.evaluate(`document.activeElement.querySelector("b")?.textContent`);
  // Workers change their places while their states differ.
  const working = page.locator(".worker-line", { has: page.locator(".pill", { hasText: "working" }) });
  await working.nth(1).waitFor();
  for (const [key, name] of ["j first", "j second", "k first"].map((each) => each.split(" "))) {
    await page.keyboard.press(key ?? "");
    expect(await focused()).toBe(name);
  }
  await page.keyboard.press("Enter");
  await page.locator(".worker-head h1", { hasText: "first" }).waitFor();
  for (const [key, tab] of Object.entries({ c: "Changes", h: "Checks", e: "Events", t: "Transcript" })) {
    await page.keyboard.press(key);
    await expect.poll(() => openTab(page)).toMatch(tab);
  }
  await page.keyboard.press("m");
  await page.keyboard.type("the echt message");
  expect(await page.getByLabel("Message to first").inputValue()).toBe("the echt message");
  expect(await openTab(page)).toMatch("Transcript");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.locator(".worker-line").first().waitFor();

  await show(`events?worker=${worker.id}`);
  await page.getByRole("button", { name: /^following/, pressed: true }).waitFor();
  await page.keyboard.press("f");
  await page.getByRole("button", { name: /^follow/, pressed: false }).waitFor();

  await show("timeline");
  // The shortest range is a second.
  await expect
    .poll(async () => {
      await page.getByRole("button", { name: "All" }).click();
      return (await spanOf(page)).span;
    })
    .toBeGreaterThan(4000);
  const whole = await spanOf(page);
  await page.keyboard.press("+");
  await expect.poll(async () => (await spanOf(page)).span).toBeLessThan(whole.span * 0.6);
  const near = await spanOf(page);
  await page.keyboard.press("[");
  await expect.poll(async () => (await spanOf(page)).from).toBeLessThan(near.from);
  const earlier = await spanOf(page);
  await page.keyboard.press("]");
  await expect.poll(async () => (await spanOf(page)).from).toBeGreaterThan(earlier.from);
  await page.keyboard.press("-");
  await expect.poll(async () => (await spanOf(page)).span).toBeGreaterThan(near.span * 1.5);
  expect(person.problems).toEqual([]);
});

/** Notes each text that a screen reader is given while the page is as it is. */
const NOTE_SPOKEN = `
  globalThis.spoken = [];
  const live = "[role=status], [role=alert], [aria-live]";
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(live);
      const added = [...addedNodes].flatMap((node) => (node.nodeType === 1 ? [node, ...node.querySelectorAll("*")] : []));
      for (const each of [region, ...added.filter((node) => node.matches(live))]) {
        if (each) spoken.push(each.getAttribute("aria-label") ?? each.textContent);
      }
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["aria-label"] });
`;

const NOTES = 100;

test("a screen reader is told what a person did and that the daemon is away, once, and not what flows by", async () => {
  const { page, daemon, show } = await openPageScene();
  await isLive(page);
  const client = await connectWire(daemon.socket);
  await client.hello("orchestrator");
  await show("events?topic=note.**");
  await client.publish("note.first", { text: "first" });
  await page.locator("button.event").first().waitFor();
  await page.evaluate(NOTE_SPOKEN);
  for (let number = 1; number <= NOTES; number += 1) {
    expect(await client.publish("note.more", { text: `number ${number}` })).toMatchObject({ ok: true });
  }
  await page.locator("button.event", { hasText: `number ${NOTES}` }).waitFor();
  expect(await page.evaluate("spoken")).toEqual([]);
  await page.getByRole("textbox", { name: "Text", exact: true }).fill("number 7");
  await expect.poll(() => page.evaluate("spoken")).toEqual([expect.stringMatching(/^11 of \d+ events$/)]);
  await killHard(daemon.pid);
  const banner = page.locator(".banner-bad");
  await banner.filter({ hasText: /\((?:[2-9]|\d\d) s\)/ }).waitFor();
  const all = new Set(await page.evaluate<string[]>("spoken"));
  expect([...all].slice(1)).toEqual(expect.arrayContaining(["The daemon does not answer", "Connection: disconnected"]));
  expect(all.size).toBeLessThanOrEqual(4);
  expect(await banner.locator("[role=alert]").textContent()).toBe("The daemon does not answer");
  await showIn(page, "workers");
});
