import { readdirSync, readFileSync } from "node:fs";
import type { FakeScenarioText } from "claw-contract/schemas";
import { expect, test } from "vitest";
import { holdBack, openPageScene, sees, showIn } from "./page-scene.ts";
import { clawJson } from "./run-claw.ts";

const ASKS: FakeScenarioText = {
  usage: { input_tokens: 1000, output_tokens: 50, cost_usd: 0.01 },
  steps: [
    {
      type: "permission",
      tool: "Bash",
      input: { command: "rm -rf build", description: "Remove the old build" },
      reason: "rm -rf needs permission",
      output: "removed",
      allowed: [{ type: "text", text: "The old build is gone." }],
      denied: [{ type: "text", text: "I was not allowed." }],
    },
  ],
};

test("of two browsers that answer one question, the first wins and the other is told", async () => {
  const { page, another, spawn, show } = await openPageScene();
  const { page: other } = await another();
  const wire = await holdBack(other);
  await spawn(ASKS, "--name", "cleanup");
  await show("needs");
  await showIn(other, "needs");
  await other.getByRole("button", { name: /^Reject/ }).waitFor();
  wire.hold();
  await page.getByRole("button", { name: /^Approve/ }).click();
  await sees(page, "Approved by you");
  await other.getByRole("button", { name: /^Reject/ }).click();
  wire.release();
  await other.getByText(/Approved by p_/).waitFor();
  expect(await other.locator("[role=status].unseen, p[role=status]").textContent()).toMatch(
    /answered|closed|no longer/i,
  );
});

test("an observer sees and cannot act; a session that is ended is told what to do", async () => {
  const { page, spawn, show, workspace } = await openPageScene({ page: ["--role", "observer"] });
  await spawn(ASKS, "--name", "cleanup");
  await show("needs");
  await sees(page, "rm -rf build");
  expect(await page.getByRole("button", { name: /^Approve/ }).isDisabled()).toBe(true);
  const { tokens } = await clawJson(workspace, ["tokens"]);
  const session = (tokens as { token_id: string; browser: unknown }[]).find(({ browser }) => browser !== null);
  await clawJson(workspace, ["tokens", "revoke", session?.token_id ?? ""]);
  await sees(page, "This browser may not look in here");
});

test("a text for a worker climbs its ladder, and an abort takes a second press", async () => {
  const { page, show, spawn } = await openPageScene();
  const worker = await spawn({ steps: [{ type: "wait", ms: 600_000 }] }, "--name", "patient");
  await show(`worker/${worker.id}/about`);
  await page.getByLabel("Message to patient").fill("please hurry");
  await page.keyboard.press("Control+Enter");
  await page.locator(".ladder .reached", { hasText: "accepted" }).waitFor();
  expect(await page.getByLabel("Message to patient").inputValue()).toBe("");
  await page.getByRole("button", { name: "Abort" }).click();
  await page.getByRole("button", { name: "Yes, stop it" }).click();
  await sees(page, "aborted");
});

const PAGE = new URL("../../packages/claw/dist/page/assets/", import.meta.url);
const MOST_BYTES = 130 * 1024;

test("the page weighs little without the terminal", () => {
  const names = readdirSync(PAGE).filter((name) => name.endsWith(".gz") && !name.startsWith("open-terminal"));
  const bytes = names.reduce((sum, name) => sum + readFileSync(new URL(name, PAGE)).length, 0);
  expect(names.length).toBeGreaterThan(2);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
