import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { makeSelfSigned } from "../../packages/claw/src/bus/testing/self-signed.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { startChromium } from "../../packages/client/src/testing/chromium.ts";
import { newPerson } from "./browser.ts";
import type { Daemon } from "./daemon-process.ts";
import { killHard, startDaemon, stopAfterTest } from "./daemon-process.ts";
import { readTree } from "./read-tree.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const linkTo = async (workspace: Workspace, ...flags: string[]): Promise<string> =>
  String((await clawJson(workspace, ["dashboard", ...flags]))["url"]);

interface Scene {
  readonly workspace: Workspace;
  readonly daemon: Daemon;
  readonly browser: Browser;
  readonly link: string;
}

async function scene(...flags: string[]): Promise<Scene> {
  const workspace = createWorkspace();
  const [daemon, browser] = await Promise.all([startDaemon(workspace), startChromium()]);
  return { workspace, daemon, browser, link: await linkTo(workspace, ...flags) };
}

/** Peers that are pages: everything but the call that asks. */
async function pagesOf(workspace: Workspace): Promise<unknown[]> {
  const { peers } = await clawJson(workspace, ["peers"]);
  return (peers as { role: string; name: string }[]).filter(({ name }) => name !== "claw").map(({ role }) => role);
}

const whenConnected = (workspace: Workspace, roles: readonly string[]): Promise<unknown> =>
  until(`pages as ${roles.join(", ")}`, async () => String(await pagesOf(workspace)) === String(roles), 50);

const pathOf = (link: string): string => new URL(link).pathname.replace(/enter$/, "");

test("a link leads a browser to the page, once, and leaves no trace of its code", async () => {
  const { workspace, browser, link } = await scene();
  const { page, context, problems } = await newPerson(browser);
  await page.goto(link);
  await whenConnected(workspace, ["orchestrator"]);
  const { origin, searchParams } = new URL(link);
  const code = searchParams.get("code") ?? "none";
  expect(page.url().split("#")[0]).toBe(origin + pathOf(link));
  expect(await page.evaluate("[document.referrer, document.cookie, history.length]")).toEqual(["", "", 2]);
  expect(await context.cookies()).toMatchObject([
    { name: "claw_session", path: pathOf(link), httpOnly: true, sameSite: "Strict" },
  ]);
  expect(problems).toEqual([]);

  const other = await newPerson(browser);
  await other.page.goto(link);
  expect(await other.page.textContent("h1")).toBe("This link was used");
  expect(await other.context.cookies()).toEqual([]);

  const files = Object.values({ ...readTree(workspace.home), ...readTree(workspace.cwd) });
  const texts = files.map((entry) => Buffer.from(entry.split(" ")[2] ?? "", "base64").toString());
  const [{ value: cookie } = { value: "" }] = await context.cookies();
  expect([code, cookie].filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  await page.goBack();
  expect(page.url()).toBe("about:blank");
});

test("of two browsers that open a link at once, one gets the page and the other is told", async () => {
  const { workspace, browser, link } = await scene();
  const people = await Promise.all([newPerson(browser), newPerson(browser)]);
  const statuses = await Promise.all(people.map(async ({ page }) => (await page.goto(link))?.status()));
  expect(statuses.toSorted((left = 0, right = 0) => left - right)).toEqual([200, 410]);
  await whenConnected(workspace, ["orchestrator"]);
});

/** A page of another program on the same host, as an agent's development server could show it. */
async function startForeignPage(script: string): Promise<{ url: string; cookies: (string | undefined)[] }> {
  const cookies: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    cookies.push(request.headers.cookie);
    response
      .setHeader("content-type", "text/html")
      .end(`<!doctype html><title>foreign</title><script>${script}</script>`);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, cookies };
}

/** What a hostile page can do that knows the path. Each promise says whether it worked. */
const attacks = (base: string): string => `
  const socket = new Promise((done) => {
    const ws = new WebSocket(${JSON.stringify(`${base.replace("http", "ws")}socket`)});
    ws.onopen = () => done("open");
    ws.onerror = () => done("refused");
  });
  const read = fetch(${JSON.stringify(`${base}session`)}, { credentials: "include" }).then(() => "read", () => "refused");
  const blind = fetch(${JSON.stringify(`${base}session`)}, { credentials: "include", mode: "no-cors" }).then(() => "sent", () => "refused");
  const signOut = fetch(${JSON.stringify(`${base}session`)}, { method: "DELETE", credentials: "include" }).then(() => "sent", () => "refused");
  const frame = new Promise((done) => {
    const element = document.createElement("iframe");
    element.src = ${JSON.stringify(base)};
    element.onload = () => { try { done(element.contentDocument === null ? "hidden" : "empty"); } catch { done("hidden"); } };
    document.documentElement.append(element);
  });
  const opened = window.open(${JSON.stringify(base)});
  window.results = Promise.all([socket, read, blind, signOut, frame]).then((all) => [...all, opened === null || opened.closed ? "cut" : "opened"]);
`;

test("a page of another port on the same host gets no cookie, no socket, no answer and no frame", async () => {
  const { workspace, browser, link } = await scene();
  const { page, context } = await newPerson(browser);
  await page.goto(link);
  await whenConnected(workspace, ["orchestrator"]);
  const base = new URL(link).origin + pathOf(link);
  const foreign = await startForeignPage(attacks(base));
  const hostile = await context.newPage();
  await hostile.goto(foreign.url);
  const [socket, read, blind, signOut, frame] = (await hostile.evaluate("window.results")) as string[];
  expect([socket, read, blind, signOut]).toEqual(["refused", "refused", "refused", "refused"]);
  expect(["hidden", "empty"]).toContain(frame);
  expect(hostile.frames().some((each) => each.url().startsWith(base))).toBe(false);
  expect(foreign.cookies.filter((cookie) => cookie !== undefined)).toEqual([]);
  expect((await clawJson(workspace, ["tokens"]))["tokens_count"]).toBe(1);
});

/** Says something on a socket of the page's own, from inside the page. */
const sayInPage = (page: Page, frames: readonly object[]): Promise<unknown> =>
  page.evaluate((lines) => {
    const {
      document,
      location,
      WebSocket: Socket,
    } = globalThis as unknown as {
      document: { baseURI: string };
      location: { protocol: string };
      WebSocket: typeof WebSocket;
    };
    const url = new URL("socket", document.baseURI);
    url.protocol = location.protocol.replace("http", "ws");
    const socket = new Socket(url);
    const answers: unknown[] = [];
    return new Promise((resolve) => {
      socket.addEventListener("open", () => lines.forEach((line) => socket.send(JSON.stringify(line))));
      socket.addEventListener("error", () => resolve("refused"));
      socket.addEventListener("message", ({ data }) => {
        const { rid, ok } = JSON.parse(String(data)) as { rid?: unknown; ok?: unknown };
        if (rid !== undefined) answers.push(ok);
        if (answers.length === lines.length) resolve(answers);
      });
    });
  }, frames);

const hello = (role: string) => ({ id: 1, cmd: "hello", protocol: "claws/2", role, peerName: "second" });
const pause = { id: 2, cmd: "publish", protocol: "claws/2", topic: "cmd.p_000009.pause", payload: {} };

test("an observer's page sees and cannot act, whatever it says it is", async () => {
  const { workspace, browser, link } = await scene("--role", "observer");
  const { page, problems } = await newPerson(browser);
  await page.goto(link);
  await whenConnected(workspace, ["observer"]);
  expect(await sayInPage(page, [hello("observer"), { id: 3, cmd: "peers" }, pause])).toEqual([true, true, false]);
  expect(await sayInPage(page, [hello("orchestrator"), pause])).toEqual([false, false]);
  const { events } = await clawJson(workspace, ["events", "--topic", "cmd.**"]);
  expect([events, problems]).toEqual([[], []]);
});

test("an open page comes back by itself after its daemon was stopped, and after it was killed", async () => {
  const { workspace, daemon, browser, link } = await scene();
  const { page, problems } = await newPerson(browser);
  await page.goto(link);
  await whenConnected(workspace, ["orchestrator"]);
  await page.evaluate("globalThis.isTheSamePage = true");
  await clawJson(workspace, ["down"]);
  expect(daemon.pid).toBeGreaterThan(0);
  const second = await startDaemon(workspace);
  await whenConnected(workspace, ["orchestrator"]);
  await killHard(second.pid);
  await startDaemon(workspace);
  await whenConnected(workspace, ["orchestrator"]);
  expect(await page.evaluate("globalThis.isTheSamePage")).toBe(true);
  expect(problems).toEqual([]);
});

test("a browser's session is listed, and ends when it is revoked", async () => {
  const { workspace, browser, link } = await scene("--expires", "1h");
  const { page } = await newPerson(browser);
  await page.goto(link);
  await whenConnected(workspace, ["orchestrator"]);
  const { tokens } = await clawJson(workspace, ["tokens"]);
  const [{ token_id, browser: name } = { token_id: "", browser: "" }] = tokens as Record<string, string>[];
  expect(name).toBe("Chrome on Linux, 127.0.0.1");
  expect(await clawJson(workspace, ["tokens", "revoke", token_id ?? ""])).toMatchObject({ revoked_count: 1 });
  await whenConnected(workspace, []);
  expect(await page.evaluate(`fetch("session").then((answer) => answer.status)`)).toBe(401);
  await page.reload();
  expect(await page.textContent("h1")).toBe("This browser's session was ended");
});

test("over TLS the cookie is sent over TLS alone, and other machines are let in with a certificate only", async () => {
  const workspace = createWorkspace();
  await startDaemon(workspace);
  const pair = makeSelfSigned();
  for (const [name, text] of Object.entries(pair)) writeFileSync(join(workspace.cwd, `${name}.pem`), text);
  const tls = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
  const open = (...flags: string[]) => clawJson(workspace, ["dashboard", ...flags]);
  expect(await open("--http", "0.0.0.0:0")).toMatchObject({ error: { code: "INVALID_FLAG_VALUE" } });
  expect(await open("--http", "nonsense")).toMatchObject({ error: { code: "INVALID_FLAG_VALUE" } });
  expect(await open(...tls)).toMatchObject({ error: { code: "INVALID_FLAG_VALUE", target: "--tls-cert" } });
  expect(await open("--http", "0.0.0.0:0", ...tls)).toMatchObject({ public: true, opened: false });
  const { url, public: isPublic } = await open("--http", "127.0.0.1:0", ...tls);
  expect([isPublic, String(url).startsWith("https://127.0.0.1:")]).toEqual([false, true]);
  const browser = await startChromium();
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(String(url));
  await whenConnected(workspace, ["orchestrator"]);
  expect(await context.cookies()).toMatchObject([{ secure: true, httpOnly: true }]);
});

test("up makes a link as well, for a daemon that starts, for one that runs, and at its own address", async () => {
  const workspace = createWorkspace();
  stopAfterTest(workspace);
  const started = await clawJson(workspace, ["up", "--web"]);
  expect(started).toMatchObject({ effect: "created", page_opened: false, page_expires_at: expect.any(String) });
  const again = await clawJson(workspace, ["up", "--web", "--no-open"]);
  const urls = [started["page_url"], again["page_url"]].map(String);
  expect(again).toMatchObject({ effect: "noop" });
  expect(urls.map((url) => new URL(url).origin)).toEqual([
    new URL(urls[1] ?? "").origin,
    new URL(urls[1] ?? "").origin,
  ]);
  expect((await clawJson(workspace, ["up"]))["page_url"]).toBeUndefined();
  await clawJson(workspace, ["down"]);
  const shared = await clawJson(workspace, ["up", "--web", "--http", "127.0.0.1:0"]);
  expect(new URL(String(shared["page_url"])).origin).toBe(shared["http"]);
  expect((await fetch(String(shared["page_url"]), { redirect: "manual" })).status).toBe(303);
});
