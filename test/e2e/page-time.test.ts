import type { FakeScenarioText } from "claw-contract/schemas";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { countText, moneyText } from "../../packages/dashboard/src/text/amounts.ts";
import type { Frame } from "./daemon-process.ts";
import { readLog } from "./daemon-process.ts";
import { openPageScene, sees } from "./page-scene.ts";
import type { PageScene } from "./page-scene.ts";
import { clawJson } from "./run-claw.ts";
import { runShell } from "./run-shell.ts";
import type { Workspace } from "./workspace.ts";

const ASKS: FakeScenarioText = {
  usage: { input_tokens: 1000, output_tokens: 50, cost_usd: 0.01 },
  steps: [
    { type: "tool", name: "Bash", input: { command: "npm test" }, output: "green" },
    {
      type: "permission",
      tool: "Bash",
      input: { command: "rm -rf build" },
      allowed: [{ type: "text", text: "The old build is gone." }],
      denied: [],
    },
  ],
};

const byText = (one: readonly string[], other: readonly string[]): number =>
  one.join("\n").localeCompare(other.join("\n"));

/** What the list of workers shows: name, state, reason, money and tokens. */
async function shownWorkers(page: Page): Promise<string[][]> {
  const lines = await page.locator(".worker-line").all();
  const rows = lines.map(async (line) => {
    const texts = [".worker-name b", ".pills", ".reason-text", ".money", ".tokens"].map((part) =>
      line.locator(part).textContent(),
    );
    return (await Promise.all(texts)).map(String);
  });
  return (await Promise.all(rows)).toSorted(byText);
}

/** The same from `claw ps --at`. */
async function toldWorkers(workspace: Workspace, at: string): Promise<string[][]> {
  const body = await clawJson(workspace, ["ps", "--at", at]);
  expect(body.error).toBeUndefined();
  return (body["workers"] as Frame[])
    .map(({ name, state, completion, reason, cost_usd, cost_estimated, tokens }) => [
      String(name),
      `${String(state).replace("_", " ")}${completion === null ? "" : String(completion)}`,
      String(reason),
      `${cost_estimated === true ? "≈" : ""}${moneyText(Number(cost_usd))}`,
      `${countText(Number(tokens))} tok`,
    ])
    .toSorted(byText);
}

const firstOf = (workspace: Workspace, topic: string): Frame & { sequence: number; ts_server: string } =>
  readLog(workspace).find((event) => event["topic"] === topic) as never;

/** Two workers: one has asked, was allowed to, and is verified; one waits for an answer. */
async function withHistory({ spawn, workspace }: PageScene): Promise<void> {
  const first = await spawn(ASKS, "--name", "cleanup", "--check", "true");
  const opened = await first.until("its question", (found) => found.length > 0, "system.approval.opened");
  await clawJson(workspace, ["approve", String(opened[0]?.["approvalId"])]);
  await first.until("its verdict", (found) => found.length > 0, "system.worker.verified");
  const second = await spawn(ASKS, "--name", "waiting");
  await second.until("its question", (found) => found.length > 0, "system.approval.opened");
}

/** Drags the slider of the timeline to a share of its width. */
async function dragTo(page: Page, share: number): Promise<void> {
  const slider = page.getByRole("slider", { name: "Moment that the page shows" });
  const box = await slider.boundingBox();
  if (box === null) throw new Error("the slider is not drawn");
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 4, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * ((1 + share) / 2), middle, { steps: 4 });
  await page.mouse.move(box.x + box.width * share, middle, { steps: 4 });
  await page.mouse.up();
}

test("the page goes back to a moment and shows what ps --at shows there, and forward to live", async () => {
  const scene = await openPageScene();
  const { page, show, workspace, person } = scene;
  await withHistory(scene);
  const { sequence } = firstOf(workspace, "system.approval.opened");
  await show("events?topic=system.approval.opened");
  await page.locator("button.event").first().click();
  await page.getByRole("button", { name: "show this moment" }).click();
  await sees(page, "Nothing can be changed there");
  await show("workers");
  const there = await toldWorkers(workspace, `0001:${sequence}`);
  expect(there.map(([name, state]) => [name, state])).toEqual([["cleanup", "needs input"]]);
  await expect.poll(() => shownWorkers(page)).toEqual(there);
  await show("needs");
  expect(await page.getByRole("button", { name: /^Approve/ }).isDisabled()).toBe(true);
  expect(await page.locator(".card").count()).toBe(1);
  await show("events");
  await sees(page, `${sequence} of `);
  await page.keyboard.press("l");
  await show("workers");
  const live = await toldWorkers(workspace, `0001:${Number(readLog(workspace).at(-1)?.["sequence"])}`);
  expect(live.map(([, state]) => state)).toEqual(["finishedverified", "needs input"]);
  await expect.poll(() => shownWorkers(page)).toEqual(live);

  await show("timeline");
  await page.locator(".lane .mark-asks").first().waitFor();
  await dragTo(page, 0.5);
  const slider = page.getByRole("slider", { name: "Moment that the page shows" });
  const wanted = new Date(Number(await slider.inputValue()));
  await show("workers");
  await expect.poll(() => shownWorkers(page)).toEqual(await toldWorkers(workspace, wanted.toISOString()));
  await show("timeline");
  await dragTo(page, 0.02);
  const before = new Date(Number(await slider.inputValue()));
  await show("workers");
  expect(await toldWorkers(workspace, before.toISOString())).toEqual([]);
  await sees(page, "No worker yet");
  await page.getByRole("button", { name: "Forward to live" }).click();
  await expect.poll(() => shownWorkers(page)).toEqual(live);
  expect(person.problems).toEqual([]);
});

/** What a press of a button puts into the clipboard, as a person finds out: by pasting it elsewhere. */
async function copied(page: Page, button: Locator): Promise<string> {
  await button.click();
  await page
    .getByRole("status")
    .filter({ hasText: /^Copied: / })
    .waitFor({ state: "attached" });
  const paper = await page.context().newPage();
  await paper.setContent("<textarea></textarea>");
  await paper.locator("textarea").focus();
  await paper.keyboard.press("Control+V");
  const text = await paper.locator("textarea").inputValue();
  await paper.close();
  return text;
}

const lines = (stdout: string): Frame[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Frame)
    .filter(({ type }) => type === "event");

test("an event is copied as JSON, as its call and as its link; a filter as the call that gives the same", async () => {
  const scene = await openPageScene();
  const { page, show, workspace, another, person } = scene;
  await withHistory(scene);
  await show("events?topic=system.approval.answered");
  await page.locator("button.event").click();
  const detail = page.locator(".event-detail");
  await detail.locator(".json", { hasText: "decision" }).waitFor();
  const json = JSON.parse(await copied(page, detail.getByRole("button", { name: "Copy JSON" }))) as Frame;
  expect(json).toMatchObject({ topic: "system.approval.answered", payload: { decision: "approve" } });
  const call = await copied(page, detail.getByRole("button", { name: "Copy event call" }));
  expect(lines((await runShell(workspace, call)).stdout)).toMatchObject([
    { topic: json["topic"], cursor: json["cursor"], payload: json["payload"] },
  ]);
  const link = await copied(page, detail.getByRole("button", { name: "Copy link" }));
  const { page: other } = await another();
  await other.goto(link);
  await other.locator(".event-detail .json", { hasText: String((json["payload"] as Frame)["approvalId"]) }).waitFor();
  expect(new URL(other.url()).search).toBe("");

  await page
    .getByRole("link", { name: /^thread / })
    .first()
    .click();
  await page.getByRole("button", { name: /^thread .* ✕$/ }).waitFor();
  const threadEvents = await page.locator(".event-topic").allTextContents();
  expect(threadEvents).toContain("system.approval.opened");
  expect(threadEvents.some((topic) => topic.endsWith(".approve"))).toBe(true);
  const worker = firstOf(workspace, "system.approval.opened")["payload"] as Frame;
  const thread = new URLSearchParams(page.url().split("?")[1]).get("thread");
  const filters = [`thread=${thread}`, `worker=${String(worker["peerId"])}`, "kind=state", "topic=worker.*.signal"];
  for (const filter of filters) {
    await show(`events?${filter}`);
    const call = await copied(page, page.getByRole("button", { name: "Copy call", exact: true }));
    const json = call.includes("stream-json") ? call : `${call} --output-format stream-json`;
    const count = lines((await runShell(workspace, json)).stdout).length;
    await expect
      .poll(() => page.locator(".count-text").textContent(), { message: `${filter}: ${call}` })
      .toMatch(new RegExp(`^${count} of `));
  }
  expect(person.problems).toEqual([]);
});
