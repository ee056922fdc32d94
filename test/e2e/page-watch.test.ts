import type { FakeScenarioText } from "claw-contract/schemas";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Frame } from "./daemon-process.ts";
import { connectWire } from "./daemon-process.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { openPageScene, sees } from "./page-scene.ts";
import { clawJson } from "./run-claw.ts";

const ASLEEP: FakeScenarioText = { steps: [{ type: "wait", ms: 600_000 }] };

test("the steps of an answer fill in one after another, as the worker takes the answer", async () => {
  const { page, show, daemon, workspace, person } = await openPageScene();
  const worker = await connectWire(daemon.socket);
  const id = await worker.hello("worker", { peerName: "stepper", capabilities: ["commands", "receipts"] });
  const boot = { model: "none", role: "worker", mission_summary: "climb", cwd: workspace.cwd, terminal_id: "" };
  expect(await worker.publish(`worker.${id}.boot`, boot)).toMatchObject({ ok: true });
  expect(await worker.ask({ cmd: "subscribe", topic: `cmd.${id}.*` })).toMatchObject({ ok: true });
  const asked = { tool: "Bash", argv: ["rm", "-rf", "a b", ""], diff: "@@ -1 +1 @@\n-old\n+new" };
  const question = { kind: "REQUEST", severity: "warn", message: "May I climb?", request_id: "r1", data: asked };
  expect(await worker.publish(`worker.${id}.event`, question)).toMatchObject({ ok: true });
  await show("needs");
  const card = page.locator(".card", { hasText: "May I climb?" });
  await card.getByText(/^\d+:\d\d left, then it is rejected$/).waitFor();
  expect(await card.locator(".word").allTextContents()).toEqual(["rm", "-rf", "a b", "''"]);
  expect(await card.locator(".diff-text .add, .diff-text .del").allTextContents()).toEqual(["-old\n", "+new\n"]);
  const { approvals } = await clawJson(workspace, ["approvals"]);
  const [{ hash } = { hash: "" }] = approvals as { hash: string }[];
  await card.getByText(`sha256 ${hash.slice(0, 12)}`).waitFor();
  await page.getByRole("button", { name: /^Approve/ }).click();
  await sees(page, "Approved by you");
  const command = await until("the answer", () => worker.messages().find(({ topic }) => topic === `cmd.${id}.approve`));
  const { id: commandId } = command["payload"] as Frame;
  const ladder = page.locator(".card .ladder");
  const reached = ladder.locator(".reached");
  const steps = ["accepted", "queued"];
  await expect.poll(() => reached.allTextContents()).toEqual(steps);
  for (const step of ["injected", "submitted", "acked", "applied"]) {
    const evidence = { kind: "sequence", value: command["sequence"] };
    const report = { command_id: commandId, step, route: "bus", evidence };
    expect(await worker.publish(`worker.${id}.command`, report)).toMatchObject({ ok: true });
    steps.push(step);
    await expect.poll(() => reached.allTextContents()).toEqual(steps);
    const name = await ladder.locator("[role=img]").getAttribute("aria-label");
    expect(name).toBe(`Delivery: ${step} by bus`);
  }
  expect(person.problems).toEqual([]);
});

test("a worker that another one started stands below it, names it, and each leads to the other", async () => {
  const { page, show, spawn, person } = await openPageScene();
  const lead = await spawn(ASLEEP, "--name", "lead");
  const child = await spawn(ASLEEP, "--name", "child", "--parent", "lead");
  await spawn(ASLEEP, "--name", "stranger");
  await spawn(ASLEEP, "--name", "grandchild", "--parent", "child");
  const asks = { tool: "Bash", input: { command: "ls" }, allowed: [], denied: [] };
  const asking = await spawn({ steps: [{ type: "permission", ...asks }] }, "--name", "asking", "--parent", "lead");
  await asking.until("its question", (found) => found.length > 0, "system.approval.opened");
  await show("workers");
  const names = page.locator(".worker-line .worker-name");
  await expect
    .poll(async () => (await names.allTextContents()).map((text) => text.replace(/fake.*$/, "")))
    .toEqual(["askingfor lead · ", "lead", "↳ child", "↳ grandchild", "stranger"]);
  const leftOf = (name: string): Promise<number> =>
    names
      .filter({ hasText: name })
      .locator("b")
      .evaluate((each) => each.getBoundingClientRect().left);
  expect(await leftOf("grandchild")).toBeGreaterThan(await leftOf("stranger"));
  await page.locator(".worker-line b", { hasText: /^lead$/ }).click();
  await page.locator(".worker-head", { hasText: "started child, asking" }).waitFor();
  await page.locator(".worker-head").getByRole("link", { name: "child" }).click();
  await page.locator(".worker-head h1", { hasText: "child" }).waitFor();
  await page.locator(".worker-head", { hasText: "started grandchild" }).waitFor();
  expect(await page.evaluate("location.hash")).toContain(child.id);
  await page.locator(".worker-head").getByRole("link", { name: "lead" }).click();
  await page.locator(".worker-head h1", { hasText: "lead" }).waitFor();
  expect(await page.evaluate("location.hash")).toContain(lead.id);
  expect(person.problems).toEqual([]);
});

test("the chart of the cost tells what a killed life has spent, as estimated", async () => {
  const { page, show, spawn, person } = await openPageScene();
  const usage = { input_tokens: 100_000, output_tokens: 5000 };
  const begins = { type: "tool", name: "Bash", input: { command: "ls" }, output: "a" } as const;
  const worker = await spawn({ usage, steps: [begins, ...ASLEEP.steps] }, "--name", "victim", "--on-crash", "alert");
  await worker.until("its first cost", (found) => found.some(({ cost_usd: usd }) => Number(usd) > 0), "heartbeat");
  process.kill(worker.pid, "SIGKILL");
  await worker.until("its end", (found) => found.length > 0, "system.worker.terminated");
  await show("cost");
  await page.locator(".cost h1", { hasText: "≈$" }).waitFor();
  await page.locator(".chart-key", { hasText: "of it estimated" }).waitFor();
  await page.getByText("The same as a table").click();
  const row = page.locator("details .sums tbody tr").first();
  await row.waitFor();
  const total = (await page.locator(".cost h1 .faint").textContent())?.replace("≈", "");
  expect(await page.locator("details .sums tbody tr td:last-child").last().textContent()).toBe(total);
  expect(await row.locator("td").nth(1).textContent()).toMatch(/^\$/);
  expect(person.problems).toEqual([]);
});

/** Rows of pixels of the chart in which the colour of a budget stands. */
const limitRows = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => {
    const chart = document.querySelector<HTMLCanvasElement>(".chart canvas");
    const key = document.querySelector(".key-limit");
    // Chromium warns of pixels that are read from a canvas which was made for drawing.
    const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (chart === null || key === null || pen === null) return [];
    const { width, height } = Object.assign(pen.canvas, { width: chart.width, height: chart.height });
    pen.drawImage(chart, 0, 0);
    const [red, green, blue] = (getComputedStyle(key).borderTopColor.match(/\d+/g) ?? []).map(Number);
    const { data } = pen.getImageData(0, 0, width, height);
    const isLimit = (at: number): boolean => data[at] === red && data[at + 1] === green && data[at + 2] === blue;
    const inRow = (row: number): number =>
      Array.from({ length: width }, (_, column) => 4 * (row * width + column)).filter(isLimit).length;
    return Array.from({ length: height }, (_, row) => row).filter((row) => inRow(row) > width / 4);
  });

test("the chart of the cost has a line for each budget of all workers, and the bars beside it say how much is left", async () => {
  const { page, show, spawn, person } = await openPageScene({
    daemon: ["--budget-usd", "8", "--budget-usd-per-day", "2"],
  });
  const usage = { input_tokens: 1000, output_tokens: 50, cost_usd: 0.5 };
  const worker = await spawn({ usage, steps: [{ type: "text", text: "done" }] });
  await worker.complete();
  await show("cost");
  await page.locator(".chart-key", { hasText: "budget" }).waitFor();
  await expect.poll(async () => (await limitRows(page)).length).toBeGreaterThanOrEqual(2);
  const rows = await limitRows(page);
  // The line of $8 is above the line of $2; a line is some pixels high.
  expect(Number(rows.at(-1)) - Number(rows[0])).toBeGreaterThan(50);
  await expect
    .poll(() => page.locator(".budget").allTextContents())
    .toEqual([
      expect.stringMatching(/^day [-0-9]{10}\$0\.50 of \$2\.00/),
      expect.stringMatching(/^workspace\$0\.50 of \$8\.00/),
    ]);
  expect(person.problems).toEqual([]);
});

const MESSAGE = [
  "## Summary",
  "I fixed **two** sums in `total.js`:",
  "1. one",
  "   - <b>two</b>",
  "",
  "```sh",
  "npm test  # **all**",
  "```",
  "See [the docs](https://evil.example/?q=1).",
].join("\n");

test("a message has the layout of its Markdown, and a link says where it leads and leads nowhere", async () => {
  const { page, show, spawn, person } = await openPageScene();
  const worker = await spawn({ steps: [{ type: "text", text: MESSAGE }] }, "--name", "writer");
  await worker.complete();
  await show(`worker/${worker.id}/transcript`);
  const message = page.locator(".md", { hasText: "Summary" });
  await message.waitFor();
  const shown = await message
    .locator("> *")
    .evaluateAll((all) => all.map((each) => `${each.tagName} ${each.className}: ${each.textContent}`));
  expect(shown).toEqual([
    "P md-heading: Summary",
    "P md-paragraph: I fixed two sums in total.js:",
    "P md-item: 1.one",
    "P md-item: •<b>two</b>",
    "PRE output: npm test  # **all**",
    "P md-paragraph: See the docs (https://evil.example/?q=1).",
  ]);
  expect(await message.locator("strong, code").allTextContents()).toEqual(["two", "total.js"]);
  expect(await message.locator("a, b").count()).toBe(0);
  expect(person.problems).toEqual([]);
});
