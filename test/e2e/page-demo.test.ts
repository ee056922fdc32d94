import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startChromium } from "../../packages/client/src/testing/chromium.ts";
import { newPerson } from "./browser.ts";
import { isLive, showIn } from "./page-scene.ts";
import { openTerminal } from "./terminal-session.ts";
import { createWorkspace } from "./workspace.ts";

test("in the demonstration a click on the page answers, its ladder fills in, and the work is verified there", async () => {
  const workspace = createWorkspace();
  const temporary = join(workspace.home, "tmp");
  mkdirSync(temporary);
  const browser = await startChromium();
  const terminal = openTerminal(workspace, ["demo"], { TMPDIR: temporary });
  const shown = await terminal.shows(/http:\/\/127\.0\.0\.1:\d+\/[\w-]{12}\/enter\?code=[\w-]{16}/);
  const [link = ""] = /http:\S+/.exec(shown) ?? [];
  const { page, problems } = await newPerson(browser);
  await page.goto(link);
  await isLive(page);
  await page.getByRole("link", { name: /^Needs you/ }).click();
  const question = page.locator(".card", { hasText: "rm -rf build" });
  await question.getByRole("button", { name: /^Approve/ }).click();
  await question.locator(".ladder .reached", { hasText: "applied" }).waitFor();
  await question.getByText("Approved by you").waitFor();
  await showIn(page, "workers");
  for (const name of ["cleanup", "guide", "rounding", "timing"]) {
    await page.locator(".worker-line", { hasText: name }).locator(".pill", { hasText: "verified" }).waitFor();
  }
  expect(await terminal.shows(/Press q or Enter to leave/)).not.toContain("was refused");
  await isLive(page);
  terminal.press("q");
  await terminal.shows(/ended with 0/);
  await page.getByRole("alert").filter({ hasText: "The daemon does not answer" }).waitFor();
  expect(problems).toEqual([]);
});
