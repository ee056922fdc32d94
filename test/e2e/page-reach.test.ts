import axe from "axe-core";
import type { FakeScenarioText } from "claw-contract/schemas";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { PageScene } from "./page-scene.ts";
import { isLive, openPageScene, sees, showIn } from "./page-scene.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import { makeRepository } from "./work-scene.ts";

const WORKS: FakeScenarioText = {
  usage: { input_tokens: 1000, output_tokens: 50, cost_usd: 0.01 },
  steps: [
    { type: "text", text: "I look around." },
    { type: "sub_agent", result: "found", steps: [{ type: "text", text: "Looking." }] },
    { type: "tool", name: "Bash", input: { command: "make" }, runs: "echo changed > a.txt; echo new > b.txt" },
    { type: "text", text: "Done." },
  ],
};
const ASKS: FakeScenarioText = {
  steps: [
    {
      type: "permission",
      tool: "Bash",
      input: { command: "rm -rf build" },
      allowed: [{ type: "text", text: "Gone." }],
      denied: [{ type: "text", text: "Kept." }],
    },
  ],
};

interface Fleet {
  readonly done: string;
  readonly asks: string;
  readonly typist: string;
}

/** Workers in every state that has a part of the page to itself. */
async function startFleet({ spawn, workspace }: PageScene): Promise<Fleet> {
  endHostAfterTest(workspace);
  makeRepository(workspace);
  const done = await spawn(WORKS, "--name", "builder", "--worktree", "--check", "true", "--budget-usd", "1");
  const fails = await spawn(WORKS, "--name", "breaker", "--worktree", "--check", "false");
  const asks = await spawn(ASKS, "--name", "cleanup");
  const typist = await spawn({ steps: [{ type: "text", text: "Hello." }] }, "--interactive", "--name", "typist");
  for (const worker of [done, fails]) {
    await worker.until("its verdict", (found) => found.length > 0, "system.worker.verified");
  }
  await asks.until("its question", (found) => found.length > 0, "system.approval.opened");
  await typist.until("its turn", (found) => found.some(({ signal }) => signal === "turn_ended"), "signal");
  return { done: done.id, asks: asks.id, typist: typist.id };
}

/** Every view with what shows that it is drawn. */
const viewsOf = ({ done, asks, typist }: Fleet): readonly (readonly [route: string, shown: string])[] => [
  ["workers", "builder"],
  ["needs", "rm -rf build"],
  ["events", "following"],
  ["timeline", "builder"],
  ["cost", "By worker"],
  [`worker/${done}/transcript`, "I look around."],
  [`worker/${done}/changes`, "b.txt"],
  [`worker/${done}/checks`, "passed"],
  [`worker/${done}/events`, "verified"],
  [`worker/${done}/about`, "worktree"],
  [`worker/${asks}/transcript`, "Message"],
  [`worker/${typist}/terminal`, "It only shows"],
];

/** Elements that make the page wider than its window, and controls that lie outside of it. */
const OUTSIDE = `(() => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
  const scrolls = [...document.querySelectorAll("main, .view, .scroll, .virtual, .view-cards, .toolbar, .side")].filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== "visible");
  const controls = [...document.querySelectorAll("a, button, input, select, textarea")].filter((each) => {
    if (each.matches(".skip, .xterm *") || each.closest(".tabs, .lane svg") !== null) return false;
    const { left, right, width } = each.getBoundingClientRect();
    return width > 0 && (left < -1 || right > innerWidth + 1);
  });
  const nameless = [...document.querySelectorAll("a, button")].filter((each) => each.getClientRects().length > 0 && each.textContent.trim() === "" && !each.ariaLabel && each.closest("svg") === null);
  return [...wide, ...scrolls.map((each) => "scrolls: " + each.className), ...controls.map((each) => "outside: " + each.outerHTML.slice(0, 120)), ...nameless.map((each) => "nameless: " + each.outerHTML.slice(0, 120))];
})()`;

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Serious and critical findings of axe. */
async function findingsOn(page: Page): Promise<string[]> {
  const found = (await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  )) as Finding[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`),
    );
}

/** What is wrong with what a page shows now, in both themes. */
async function wrongOn(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    const what = [...(await findingsOn(page)), ...((await page.evaluate(OUTSIDE)) as string[])];
    found.push(...what.map((each) => `${theme}: ${each}`));
  }
  return found;
}

/** Looks at every view of one person, at an open event, at a moment of the past, and at the keys. */
async function inspect(page: Page, fleet: Fleet): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  await page.evaluate(axe.source);
  for (const [route, shown] of viewsOf(fleet)) {
    await showIn(page, route);
    if (shown !== "Message") await sees(page, shown);
    found[route] = await wrongOn(page);
  }
  await showIn(page, "events?topic=system.approval.opened");
  await page.locator("button.event").click();
  await page.getByRole("button", { name: "show this moment" }).click();
  await sees(page, "Nothing can be changed there");
  found["a moment of the past"] = await wrongOn(page);
  await page.keyboard.press("l");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  found["keys"] = await wrongOn(page);
  await page.keyboard.press("Escape");
  return Object.fromEntries(Object.entries(found).filter(([, what]) => what.length > 0));
}

test("every view passes axe in both themes", async () => {
  const scene = await openPageScene();
  const { page, person } = scene;
  expect(await inspect(page, await startFleet(scene))).toEqual({});
  expect(person.problems).toEqual([]);
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test("every view passes axe and fits on a phone, with everything in reach of a finger", async () => {
  const scene = await openPageScene();
  const { page, problems } = await scene.another([], PHONE);
  expect(await inspect(page, await startFleet(scene))).toEqual({});
  await page.getByRole("link", { name: /^Needs you/ }).tap();
  await page
    .getByRole("button", { name: /^Reject/ })
    .first()
    .tap();
  await sees(page, "Rejected by you");
  await page.getByRole("button", { name: "Sign out" }).tap();
  await sees(page, "claw dashboard");
  expect(problems).toEqual([]);
});

/** What has the focus, and whether a person can see that it has. */
const FOCUS = `(() => {
  const each = document.activeElement;
  const { outlineStyle, boxShadow, outlineWidth } = getComputedStyle(each);
  const { width, height } = each.getBoundingClientRect();
  const isSeen = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none" || each.closest(".xterm") !== null;
  return { tag: each.tagName, name: each.ariaLabel ?? each.textContent.trim().slice(0, 40), seen: isSeen && width > 0 && height > 0 };
})()`;

interface Focus {
  readonly tag: string;
  readonly name: string;
  readonly seen: boolean;
}

const focusOf = async (page: Page): Promise<Focus> => (await page.evaluate(FOCUS)) as Focus;

/** Presses Tab until the focus is on something of this name; everything on the way must be seen to have the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const way: string[] = [];
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press("Tab");
    const focus = await focusOf(page);
    way.push(focus.name);
    if (focus.tag !== "BODY" && !focus.seen) throw new Error(`the focus on ${focus.name} cannot be seen`);
    if (name.test(focus.name)) return;
  }
  throw new Error(`Tab never came to ${name.source}, but to ${way.join(" | ")}`);
}

test("the keyboard alone reaches every view, answers a question, and comes out of a dialog and a terminal", async () => {
  const scene = await openPageScene();
  const { page, person } = scene;
  await startFleet(scene);
  await page.reload();
  await isLive(page);
  await page.keyboard.press("Tab");
  expect((await focusOf(page)).name).toBe("Skip to the content");
  await page.keyboard.press("Enter");
  expect((await focusOf(page)).tag).toBe("MAIN");
  for (const [key, heading] of ["Workers", "Needs you", "Events", "Timeline", "Cost"].entries()) {
    await page.keyboard.press(String(key + 1));
    await page.getByRole("heading", { level: 1, name: heading }).waitFor({ state: "attached" });
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await tabTo(page, /^Show the keys$/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await focusOf(page)).name).toBe("Show the keys");

  await page.keyboard.press("2");
  await page.getByRole("button", { name: /^Approve/ }).waitFor();
  await page.keyboard.press("j");
  expect(await focusOf(page)).toMatchObject({ tag: "ARTICLE", seen: true });
  await page.keyboard.press("y");
  await sees(page, "Approved by you");
  expect((await focusOf(page)).tag).not.toBe("BODY");
  await tabTo(page, /^What to do better, or a note$/);
  await page.keyboard.type("do it again");
  await page.keyboard.press("Shift+Tab");
  expect((await focusOf(page)).name).toMatch(/^Send back/);

  await page.keyboard.press("3");
  await page.getByRole("region", { name: "Events" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("opened");
  await expect.poll(() => page.locator("button.event").count()).toBe(1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.locator(".event-detail").waitFor();
  await tabTo(page, /^show this moment$/);
  await page.keyboard.press("Enter");
  await sees(page, "Nothing can be changed there");
  await page.keyboard.press("l");
  await page.getByText("Nothing can be changed there").waitFor({ state: "detached" });
  expect((await focusOf(page)).tag).not.toBe("BODY");

  await page.keyboard.press("4");
  const slider = page.getByRole("slider");
  await slider.waitFor();
  await tabTo(page, /^Moment that the page shows$/);
  await page.keyboard.press("Home");
  await sees(page, "Nothing can be changed there");
  await page.keyboard.press("End");
  await page.getByText("Nothing can be changed there").waitFor({ state: "detached" });

  await page.keyboard.press("1");
  await page.locator(".worker-line").first().waitFor();
  await tabTo(page, /typist/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Terminal$/);
  await page.keyboard.press("Enter");
  await page.locator(".xterm-rows").waitFor();
  await tabTo(page, /^Take over$/);
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await focusOf(page)).name).toMatch(/^Terminal of typist/);
  await page.keyboard.type("/exit");
  await page.keyboard.press("Shift+Tab");
  expect((await focusOf(page)).name).toBe("Give back");
  await page.keyboard.press("Enter");
  await sees(page, "It only shows");
  await page.keyboard.press("Escape");
  await page.locator(".worker-line").first().waitFor();
  expect((await focusOf(page)).tag).not.toBe("BODY");
  expect(person.problems).toEqual([]);
});
