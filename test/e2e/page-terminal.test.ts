import type { FakeScenarioText } from "claw-contract/schemas";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPageScene, sees } from "./page-scene.ts";
import { openTerminal } from "./terminal-session.ts";
import { endHostAfterTest } from "./terminal-wire.ts";

const TALKS: FakeScenarioText = {
  steps: [{ type: "text", text: "The tests pass." }],
  later: [[{ type: "text", text: "You said: {{prompt}}" }]],
};

/** Lines of the screen that the page draws. */
const screenOf = async (page: Page): Promise<string> =>
  (await page.locator(".xterm-rows > div").allTextContents()).join("\n").replaceAll("\u00a0", " ");

async function shows(page: Page, text: RegExp): Promise<void> {
  await expect.poll(() => screenOf(page)).toMatch(text);
}

const focused = (page: Page): Promise<unknown> =>
  page.evaluate(
    `document.activeElement.closest(".terminal-box") === null ? document.activeElement.textContent : "terminal"`,
  );

/** Moves the focus forward until it is on a button or a link of this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press("Tab");
      return focused(page);
    })
    .toBe(name);
}

test("a live terminal only shows until it is taken over; then it types, and it follows other clients", async () => {
  const { page, spawn, show, workspace, person, another } = await openPageScene();
  endHostAfterTest(workspace);
  const worker = await spawn(TALKS, "--interactive", "--name", "talker");
  await worker.until("its turn", (found) => found.some(({ signal }) => signal === "turn_ended"), "signal");
  await show("workers");
  await page.locator(".worker-line").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await tabTo(page, "Terminal");
  await page.keyboard.press("Enter");
  await shows(page, /The tests pass\./);

  await page.locator(".terminal-box").click();
  await page.keyboard.type("unheard");
  expect(await focused(page)).toBe("terminal");
  await page.keyboard.press("Shift+Tab");
  expect(await focused(page)).toBe("Take over");
  await page.keyboard.press("Enter");
  await sees(page, "Your keys go to the agent");
  expect(await focused(page)).toBe("terminal");
  await page.keyboard.type("are you there? größer ✓");
  await page.keyboard.press("Enter");
  await shows(page, /You said: are you there\? größer ✓/);
  expect(await screenOf(page)).not.toContain("unheard");

  const session = openTerminal(workspace, ["attach", "1"]);
  await session.shows(/You said: are you there/);
  await expect.poll(() => page.locator(".xterm-rows > div").count()).toBe(24);
  session.type("from beside");
  session.press("Enter");
  await shows(page, /You said: from beside/);
  session.resize(60, 18);
  await expect.poll(() => page.locator(".xterm-rows > div").count()).toBe(18);
  session.press("C-\\");

  const { page: watcher } = await another(["--role", "observer"]);
  await watcher.evaluate(`location.hash = "#/worker/${worker.id}/terminal"`);
  await sees(watcher, "An observer sees no terminals");
  expect(await watcher.locator(".terminal-box").count()).toBe(0);

  await page.locator(".terminal-box").click();
  await page.keyboard.type("/exit");
  await page.keyboard.press("Enter");
  expect(await worker.complete()).toMatchObject({ result: "ok" });
  await sees(page, "The agent has left its terminal");
  expect(await page.getByRole("button", { name: "Take over" }).isDisabled()).toBe(true);
  expect(person.problems).toEqual([]);
});
