import { expect, test } from "vitest";
import type { FakeScenarioText } from "claw-contract/schemas";
import { startChromium } from "../../packages/client/src/testing/chromium.ts";
import { newPerson } from "./browser.ts";
import { connectWire, startDaemon } from "./daemon-process.ts";
import { holdBack, isLive, openPageScene, sees, showIn } from "./page-scene.ts";
import { clawJson } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

const ASKS: FakeScenarioText = {
  steps: [{ type: "permission", tool: "Bash", input: { command: "rm -rf build" }, allowed: [], denied: [] }],
};

test("where there is nothing, and where nothing has come yet, the page says what to do", async () => {
  const { page, show, another, person } = await openPageScene();
  const wire = await holdBack(page);
  const empty = [
    ["workers", "No worker yet", "claw spawn --worktree"],
    ["needs", "Nothing waits for you", "most urgent first"],
    ["timeline", "Nothing has happened yet", "claw spawn"],
    ["cost", "Nothing was spent yet", "claw spawn --budget-usd"],
    ["events?topic=no.such.topic", "No event fits", "Clear a filter"],
    ["worker/p_999999/transcript", "There is no such worker at this moment", "All workers"],
  ] as const;
  for (const [route, title, advice] of empty) {
    await show(route);
    await page.getByRole("heading", { name: title }).waitFor();
    await sees(page, advice);
  }
  wire.hold();
  await page.reload();
  await sees(page, "Reading the fleet");
  await sees(page, "claw status");
  await page.getByRole("status", { name: "Connection: connecting" }).waitFor();
  wire.release();
  await isLive(page);
  const { page: watcher } = await another(["--role", "observer"]);
  await sees(watcher, "You may watch. To answer and to send, open the page with claw dashboard --role orchestrator.");
  expect(person.problems).toEqual([]);
});

/** Notes between the event of a link and the newest event: more than the page reads when it opens. */
const NOTES = 2300;

test("a link to an event leads to it, however old it is", async () => {
  const { page, daemon, person } = await openPageScene();
  const client = await connectWire(daemon.socket);
  await client.hello("orchestrator", { capabilities: ["receipts"] });
  const { sequence } = await client.publish("note.first", { text: "the very first note" });
  for (let number = 1; number < NOTES; number += 1) {
    client.send({ cmd: "publish", topic: "note.more", payload: { number } });
  }
  await client.publish("note.last", { text: "the last note" });
  await page.goto(`${page.url().split("#")[0]}?event=${encodeURIComponent(`0001:${String(sequence)}`)}`);
  await page.locator(".event-detail .json", { hasText: "the very first note" }).waitFor();
  expect(new URL(page.url()).search).toBe("");
  await showIn(page, "events?event=0009:5");
  await sees(page, "claw events --since 0009:4 --limit 1");
  await showIn(page, "events?event=nonsense");
  await sees(page, "The link names no event");
  expect(person.problems).toEqual([]);
});

/** A recorder in place of the browser's notifications, in a page that says it is hidden. */
const RECORDER = `
  globalThis.told = [];
  class Recorder extends EventTarget {
    static permission = "granted";
    static requestPermission() { return Promise.resolve("granted"); }
    constructor(title, { body, tag }) { super(); this.title = title; this.body = body; this.tag = tag; globalThis.told.push(this); }
    close() {}
  }
  globalThis.Notification = Recorder;
  Object.defineProperty(document, "visibilityState", { get: () => globalThis.isSeen === true ? "visible" : "hidden" });
`;

test("a notification names the worker and what it asks, once, and a press on it leads there", async () => {
  const { page, spawn, person } = await openPageScene();
  await page.addInitScript(RECORDER);
  await page.reload();
  await isLive(page);
  await page.getByRole("button", { name: "Notify me" }).click();
  await spawn(ASKS, "--name", "cleanup");
  const told = `told.map(({ title, body }) => [title, body])`;
  await expect.poll(() => page.evaluate(told)).toContainEqual(["cleanup needs you", "Bash: rm -rf build"]);
  await expect.poll(() => page.title()).toMatch(/^\(1\) cleanup: Bash: rm -rf build · project · claw$/);
  await page.evaluate(`told.at(-1).dispatchEvent(new Event("click"))`);
  await page.getByRole("button", { name: /^Approve/ }).waitFor();
  expect(person.problems).toEqual([]);
});

test("no address, referrer or header carries a secret; files are compressed and kept, and stand in no frame", async () => {
  const workspace = createWorkspace();
  const [, browser] = await Promise.all([startDaemon(workspace), startChromium()]);
  const link = String((await clawJson(workspace, ["dashboard", "--no-open"]))["url"]);
  const { page, context } = await newPerson(browser);
  const asked: { readonly url: string; readonly referrer: string | undefined }[] = [];
  page.on("request", (request) => asked.push({ url: request.url(), referrer: request.headers()["referer"] }));
  page.on("websocket", (socket) => asked.push({ url: socket.url(), referrer: undefined }));
  await page.goto(link);
  await isLive(page);
  const [{ value } = { value: "" }] = await context.cookies();
  const code = new URL(link).searchParams.get("code") ?? "";
  const later = asked.filter(({ url }) => url !== link);
  expect(later.some(({ url }) => url.startsWith("ws://"))).toBe(true);
  expect(later.filter(({ url }) => url.includes(code) || url.includes(value))).toEqual([]);
  expect(asked.filter(({ referrer }) => referrer?.includes(code) === true)).toEqual([]);
  expect(
    await page.evaluate("[document.referrer, history.length, JSON.stringify(localStorage), document.cookie].join()"),
  ).not.toMatch(new RegExp(`${code}|${value}`));
  const script = later.find(({ url }) => url.endsWith(".js"))?.url ?? "";
  const headersOf = async (url: string): Promise<Headers> =>
    (await fetch(url, { headers: { cookie: `claw_session=${value}`, "accept-encoding": "br, gzip" } })).headers;
  const file = await headersOf(script);
  expect(file.get("cache-control")).toMatch(/max-age=31536000.*immutable/);
  expect(file.get("content-encoding")).toBe("br");
  const start = await headersOf(page.url().split("#")[0] ?? "");
  expect(start.get("cache-control")).toBe("private, no-cache");
  expect(start.get("content-security-policy")).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
  expect([start.get("x-frame-options"), start.get("referrer-policy")]).toEqual(["DENY", "no-referrer"]);
});
