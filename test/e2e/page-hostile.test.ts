import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FakeScenarioText } from "claw-contract/schemas";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { inertLine } from "../../packages/dashboard/src/text/inert.ts";
import type { WireClient } from "./daemon-process.ts";
import { connectWire } from "./daemon-process.ts";
import type { PageScene } from "./page-scene.ts";
import { openPageScene, sees } from "./page-scene.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import { makeRepository } from "./work-scene.ts";

const RUNS = "globalThis.pwned = true";

/** What an agent may print to reach beyond its text. */
const HOSTILE = [
  `<script>${RUNS}</script>`,
  `<img src=x onerror="${RUNS}">`,
  `<svg/onload="${RUNS}"><style>*{display:none}</style>`,
  `"><a href="javascript:${RUNS}">click</a>`,
  `[docs](javascript:${RUNS}) [docs](https://evil.example/) https://evil.example/path`,
  `{{${RUNS}}} \${${RUNS}} data:text/html,<script>${RUNS}</script>`,
  "\u202egnp.exe \u2066hidden\u2069 \u200bzero\u200d \u{e0041}tag",
  "\u001b]52;c;cHduZWQ=\u0007\u001b]8;;https://evil.example/\u0007link\u001b]8;;\u0007\u001b]0;pwned\u0007",
  `\u0000\u0008\u009b31m ${"W".repeat(3000)}`,
] as const;
const ALL = HOSTILE.join("\n");

/** What a page does that it must not do. */
async function watchMisdeeds(page: Page): Promise<string[]> {
  const misdeeds: string[] = [];
  const origin = new URL(page.url()).origin;
  page.on("dialog", (dialog) => void misdeeds.push(`dialog ${dialog.message()}`));
  page.on("popup", (popup) => void misdeeds.push(`popup ${popup.url()}`));
  page.on("download", (download) => void misdeeds.push(`download ${download.url()}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) misdeeds.push(`request ${request.url()}`);
  });
  page.on("framenavigated", (frame) => {
    if (new URL(frame.url()).origin !== origin) misdeeds.push(`went to ${frame.url()}`);
  });
  await page.evaluate(`navigator.clipboard.writeText("mine")`);
  await page.evaluate(`addEventListener("securitypolicyviolation", (event) => console.error(event.violatedDirective))`);
  return misdeeds;
}

/** Elements that text must not become, links that lead elsewhere, raw deceptive characters, and a page wider than its window. */
const LOOKS = `(() => {
  const all = [...document.querySelectorAll("main *")];
  const text = document.body.innerText;
  return {
    pwned: globalThis.pwned === true,
    markup: all.filter((each) => /^(script|style|iframe|object|embed|img|form|base|meta|link)$/i.test(each.tagName)).length,
    handlers: all.filter((each) => each.getAttributeNames().some((name) => name.startsWith("on"))).length,
    foreign: [...document.querySelectorAll("a")].filter((each) => !each.getAttribute("href").startsWith("#")).length,
    deceptive: /[\\u0000-\\u0008\\u001b\\u200b\\u202a-\\u202e\\u2066-\\u2069\\u009b]|[\\u{e0000}-\\u{e007f}]/u.test(text),
    wide: all.filter((each) => each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX) && each.matches("main, .view, .scroll, .virtual, .view-cards")).flatMap((box) => [...box.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > box.getBoundingClientRect().right + 1).slice(-1)).map((each) => each.parentElement.outerHTML.slice(0, 200)),
  };
})()`;
const CLEAN = { pwned: false, markup: 0, handlers: 0, foreign: 0, deceptive: false, wide: [] as string[] };

/** Opens everything that is folded. */
const OPENED = `for (const each of document.querySelectorAll("main details")) each.open = true`;
/** Goes to the end of every list, and waits until it is drawn. */
const SCROLLED = `new Promise((done) => {
  for (const each of document.querySelectorAll("main .virtual, main .scroll, main .view-cards")) each.scrollTop = each.scrollHeight;
  requestAnimationFrame(() => requestAnimationFrame(done));
})`;

const bootOf = (cwd: string) => ({ model: ALL, role: "worker", mission_summary: ALL, cwd, terminal_id: "" });

/** A worker that another program started, with hostile names, and a hostile question. */
async function joinHostile({ daemon, workspace }: PageScene): Promise<{ worker: WireClient; id: string }> {
  const worker = await connectWire(daemon.socket);
  const id = await worker.hello("worker", { peerName: HOSTILE[1] });
  expect(await worker.publish(`worker.${id}.boot`, bootOf(workspace.cwd))).toMatchObject({ ok: true });
  const options = HOSTILE.slice(0, 3).map((label, index) => ({ id: `o${index}`, label }));
  const diff = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@ ${ALL}\n-${ALL}\n+${ALL}`;
  const data = { tool: HOSTILE[0], argv: [...HOSTILE], diff, cwd: HOSTILE[5], [HOSTILE[1]]: ALL };
  const question = { kind: "REQUEST", severity: "warn", message: ALL, request_id: "r1", options, data };
  expect(await worker.publish(`worker.${id}.event`, question)).toMatchObject({ ok: true });
  const log = { kind: "LOG", severity: "error", message: ALL, data: { [HOSTILE[0]]: ALL } };
  expect(await worker.publish(`worker.${id}.event`, log)).toMatchObject({ ok: true });
  return { worker, id };
}

const SAYS: FakeScenarioText = {
  model: "<b>model</b>",
  steps: [
    { type: "text", text: ALL },
    { type: "thinking", text: ALL },
    { type: "tool", name: "Bash", input: { command: ALL, description: ALL }, output: ALL },
    { type: "tool", name: "<img src=x>", input: { [HOSTILE[1]]: ALL }, output: ALL, failed: true },
    { type: "sub_agent", description: ALL, prompt: ALL, result: ALL, steps: [{ type: "text", text: ALL }] },
    { type: "text", text: ALL },
  ],
};

test("what agents print is text: nothing runs, leads away, reaches the clipboard or spoils the page", async () => {
  const scene = await openPageScene();
  const { page, show, spawn, workspace, person } = scene;
  endHostAfterTest(workspace);
  makeRepository(workspace);
  const misdeeds = await watchMisdeeds(page);
  const hostile = await joinHostile(scene);
  const script = join(workspace.home, "make.sh");
  const names = [
    "<img src=x onerror=1>.txt",
    "\u202egnp.txt",
    '"><script>.js',
    "[x](javascript:1).md",
    "W".repeat(200),
  ];
  writeFileSync(
    script,
    names.map((name) => `printf '%s' '${ALL.replaceAll("'", "").replaceAll("\u0000", "")}' > '${name}'`).join("\n"),
  );
  const makes = { type: "tool", name: "Bash", input: { command: "sh make.sh" }, runs: `sh ${script}` } as const;
  const speaker = await spawn(
    { ...SAYS, steps: [makes, ...SAYS.steps] },
    "--name",
    "speaker",
    "--worktree",
    "--check",
    `echo '${HOSTILE[0]}'`,
  );
  const typist = await spawn({ steps: [{ type: "text", text: ALL }] }, "--interactive", "--name", "typist");
  await speaker.until("its verdict", (found) => found.length > 0, "system.worker.verified");
  await typist.until("its turn", (found) => found.some(({ signal }) => signal === "turn_ended"), "signal");

  const views: readonly (readonly [route: string, shown: string])[] = [
    ["workers", "speaker"],
    ["needs", "Reject"],
    ["events", "worker.boot"],
    ["timeline", "speaker"],
    ["cost", "speaker"],
    [`worker/${speaker.id}/transcript`, "onerror"],
    [`worker/${speaker.id}/changes`, "against"],
    [`worker/${speaker.id}/checks`, "passed"],
    [`worker/${speaker.id}/events`, "complete"],
    [`worker/${speaker.id}/about`, "branch"],
    [`worker/${typist.id}/terminal`, "It only shows"],
    [`worker/${hostile.id}/about`, "folder"],
    [`worker/${encodeURIComponent(HOSTILE[1])}/transcript`, "no such worker"],
    [`events?text=${encodeURIComponent(HOSTILE[0])}&topic=${encodeURIComponent(HOSTILE[1])}`, "No event fits"],
  ];
  for (const [route, shown] of views) {
    await show(route);
    if (route !== "events") await sees(page, shown);
    for (const place of ["top", "end"]) {
      await page.evaluate(OPENED);
      expect([route, place, await page.evaluate(LOOKS)]).toEqual([route, place, CLEAN]);
      await page.evaluate(SCROLLED);
    }
  }
  await show(`worker/${typist.id}/terminal`);
  await expect.poll(() => page.locator(".xterm-rows").textContent()).toContain("<script>");
  await page
    .locator(".xterm-rows")
    .getByText("link")
    .first()
    .click({ force: true, modifiers: ["Control"] });
  expect(await page.title()).toContain(inertLine(HOSTILE[1], 20).slice(0, 10));
  expect(await page.title()).not.toMatch(/^pwned/);

  await show("events?kind=LOG");
  await page.locator("button.event").first().click();
  await page.locator(".event-detail .json", { hasText: "severity" }).waitFor();
  expect(await page.evaluate(LOOKS)).toEqual(CLEAN);
  const paper = await page.context().newPage();
  await paper.setContent("<textarea></textarea>");
  await paper.locator("textarea").focus();
  await paper.keyboard.press("Control+V");
  expect(await paper.locator("textarea").inputValue()).toBe("mine");
  expect([misdeeds, person.problems]).toEqual([[], []]);
});

/** Payloads that peers may publish on topics of their own, and that look like those of workers and of the daemon. */
const PAYLOADS: readonly unknown[] = [
  { kind: HOSTILE[0], severity: HOSTILE[1], message: ALL, correlation_id: HOSTILE[1], request_id: HOSTILE[6] },
  { state: HOSTILE[0], phase: HOSTILE[1], decision: HOSTILE[2], signal: HOSTILE[3], peerId: HOSTILE[1] },
  { kind: "constructor", state: "__proto__", phase: "toString", cost_usd: "NaN", commandId: HOSTILE[0] },
  { [HOSTILE[0]]: { [HOSTILE[1]]: [ALL, [[[{ deep: ALL }]]]] }, __proto__: null, toString: ALL },
  ALL,
  [ALL, null, 1e308],
  null,
];

/** Publishes them on strange topics, and what a worker may say of itself. */
async function publishStrangely({ daemon, workspace }: PageScene): Promise<void> {
  const peer = await connectWire(daemon.socket);
  await peer.hello("orchestrator", { peerName: HOSTILE[0] });
  for (const topic of [
    "note.event",
    "note.state",
    "note.phase",
    "constructor.__proto__.constructor",
    `a.${"W".repeat(240)}`,
  ]) {
    for (const payload of PAYLOADS) expect(await peer.publish(topic, payload)).toMatchObject({ ok: true });
  }
  const worker = await connectWire(daemon.socket);
  const id = await worker.hello("worker", { peerName: "liar" });
  expect(await worker.publish(`worker.${id}.boot`, bootOf(workspace.cwd))).toMatchObject({ ok: true });
  const phase = { phase: "PLAN", prev: null, transition_reason: ALL, phases_completed: [] };
  const says: readonly (readonly [action: string, data: object])[] = [
    ["phase", phase],
    ["event", { kind: "ERROR", severity: "error", message: ALL, [HOSTILE[0]]: ALL }],
    ["event", { kind: "LOG", severity: "warn", message: HOSTILE[4], data: { kind: HOSTILE[1] } }],
    [
      "heartbeat",
      {
        current_phase: "PLAN",
        time_in_phase_ms: 1,
        tokens_used: 1,
        cost_usd: 1,
        current_action: ALL,
        model: HOSTILE[0],
      },
    ],
  ];
  for (const [action, data] of says) {
    expect(await worker.publish(`worker.${id}.${action}`, data)).toMatchObject({ ok: true });
  }
}

test("topics, kinds and threads that peers choose are text on the events and on the timeline", async () => {
  const scene = await openPageScene();
  const { page, show, person } = scene;
  const misdeeds = await watchMisdeeds(page);
  await publishStrangely(scene);
  for (const topic of ["note.**", "constructor.**", "a.*", "worker.**"]) {
    await show(`events?topic=${encodeURIComponent(topic)}`);
    const lines = page.locator("button.event");
    await lines.first().waitFor();
    expect([topic, await page.evaluate(LOOKS)]).toEqual([topic, CLEAN]);
    for (let at = 0; at < Math.min(PAYLOADS.length, await lines.count()); at += 1) {
      await lines.nth(at).click();
      await page.locator(".event-detail .json", { hasText: "stored_at" }).waitFor();
      expect([topic, at, await page.evaluate(LOOKS)]).toEqual([topic, at, CLEAN]);
      await lines.nth(at).click();
    }
  }
  await show("events?topic=note.event");
  await page.locator("button.event").first().click();
  await page
    .locator(".event-detail")
    .getByRole("link", { name: /^thread/ })
    .first()
    .click();
  await page.getByRole("button", { name: /^thread/ }).waitFor();
  expect(await page.evaluate(LOOKS)).toEqual(CLEAN);
  await show("timeline");
  const marks = page.locator(".lane svg a");
  await marks.first().waitFor();
  expect(await page.evaluate(LOOKS)).toEqual(CLEAN);
  const spoken = await marks.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? ""));
  expect(spoken.some((text) => text.includes("onerror"))).toBe(true);
  expect(spoken.join("")).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u001b]/u);
  await marks.last().press("Enter");
  await page.locator(".event-detail .json", { hasText: "stored_at" }).waitFor();
  expect(await page.evaluate(LOOKS)).toEqual(CLEAN);
  expect([misdeeds, person.problems]).toEqual([[], []]);
});
