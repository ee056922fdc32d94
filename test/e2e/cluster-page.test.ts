import { connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startChromium } from "../../packages/client/src/testing/chromium.ts";
import type { Person } from "./browser.ts";
import { newPerson } from "./browser.ts";
import type { Machine } from "./cluster-scene.ts";
import { done, returns, spawnOn, startMachines, topicsOf, untilState } from "./cluster-scene.ts";
import { killHard } from "./daemon-process.ts";
import { isLive, sees, showIn } from "./page-scene.ts";
import { openTerminal } from "./terminal-session.ts";
import { endHostAfterTest } from "./terminal-wire.ts";

/** A person who looks at the page of a machine's daemon. */
async function lookAt({ workspace }: Machine, browser: Awaited<ReturnType<typeof startChromium>>): Promise<Person> {
  const { url } = await done({ workspace } as Machine, "dashboard", "--no-open");
  const person = await newPerson(browser, {});
  await person.page.goto(String(url));
  await isLive(person.page);
  return person;
}

const lineOf = (page: Page, name: string) => page.locator(".worker-line", { hasText: name });

const screenOf = async (page: Page): Promise<string> =>
  (await page.locator(".xterm-rows > div").allTextContents()).join("\n").replaceAll("\u00a0", " ");

test("a worker of one machine is approved on a second's page, attached from a fourth, and aborted from a third", async () => {
  const [one, two, three, four] = await startMachines("one", "two", "three", "four");
  endHostAfterTest(one.workspace);
  const browser = await startChromium();
  const opened = await done(one, "terminal", "create", "--name", "desk", "--shell", "/bin/bash");
  const worker = connectWorker({ channel: unixChannel(one.daemon.socket), name: "fixer" });
  onTestFinished(() => worker.close());
  const terminal_id = String(opened["terminal_id"]);
  await worker.boot({ model: "none", mission_summary: "fix it", cwd: "/", terminal_id });
  const asking = worker.ask({
    message: "push?",
    request_type: "permission",
    data: { tool: "Bash", command: "git push" },
  });
  await untilState(two, "fixer", "needs_input");

  const [second, third] = [await lookAt(two, browser), await lookAt(three, browser)];
  for (const { page } of [second, third]) {
    await showIn(page, "workers");
    await lineOf(page, "fixer").getByText("on one").waitFor();
  }
  await showIn(second.page, "needs");
  await second.page.getByRole("button", { name: /^Approve/ }).click();
  expect(await asking).toMatchObject({ approved: true });
  await sees(second.page, "Approved by you");
  expect((await topicsOf(four)).filter((topic) => topic === "system.approval.answered")).toHaveLength(1);

  const session = openTerminal(four.workspace, ["attach", "fixer"]);
  await session.shows(/fixer on one/);
  // The answer was typed into the worker's terminal too, where a shell is: it has to be through with it.
  await session.shows(/CLAWS_CMD: command not found/);
  session.type("echo from-$((3 + 1))");
  session.press("Enter");
  await session.shows(/^from-4/m);
  await third.page.evaluate(`location.hash = "#/worker/${worker.peerId() ?? ""}/terminal"`);
  await expect.poll(() => screenOf(third.page)).toMatch(/^from-4/m);
  await sees(third.page, "on machine one");
  session.press("C-\\");
  await session.shows(/Left terminal/);

  await done(three, "abort", "fixer", "--wait", "none");
  for await (const command of worker.commands()) if (command.action === "abort") break;
  for (const { problems } of [second, third]) expect(problems).toEqual([]);
});

test("the page lists the workers of one machine, or of all, and starts with all", async () => {
  const [one, two] = await startMachines("one", "two");
  const browser = await startChromium();
  await spawnOn(one, "left", "--scenario", "hang");
  await spawnOn(two, "right", "--scenario", "hang");
  const { page, problems } = await lookAt(two, browser);
  await showIn(page, "workers");
  const machines = page.getByRole("group", { name: "Machines" });
  await machines.getByRole("button", { name: "All machines 2", pressed: true }).waitFor();
  await lineOf(page, "left").getByText("on one").waitFor();
  await lineOf(page, "right").getByText("on two").waitFor();
  await machines.getByRole("button", { name: "one 1", exact: true }).click();
  await lineOf(page, "right").waitFor({ state: "detached" });
  await lineOf(page, "left").waitFor();
  await machines.getByRole("button", { name: "two (here) 1" }).click();
  await lineOf(page, "left").waitFor({ state: "detached" });
  await machines.getByRole("button", { name: /^All machines/ }).click();
  await lineOf(page, "left").click();
  await sees(page, "on machine one");
  await page.evaluate(`location.hash += "/transcript"`);
  const { text } = await done(one, "logs", "left");
  expect(String(text)).not.toBe("");
  await done(two, "abort", "left");
  expect(problems).toEqual([]);
});

test("the page says that a machine is not heard, and shows its workers as they are when it is back", async () => {
  const [one, two] = await startMachines("one", "two");
  const browser = await startChromium();
  await spawnOn(one, "left", "--scenario", "hang");
  const { page, problems } = await lookAt(two, browser);
  await showIn(page, "workers");
  const left = lineOf(page, "left");
  await left.locator(".pill", { hasText: "working" }).waitFor();
  await killHard(one.daemon.pid);
  await left.getByText("machine one is not heard").waitFor();
  await left.locator(".pill", { hasText: "stale" }).waitFor();
  await returns(one);
  await left.locator(".pill", { hasText: "working" }).waitFor();
  expect(problems).toEqual([]);
});
