import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { askPage, cookieIn, enterWith, splitLink, startPageScene } from "./testing/page-scene.ts";
import type { PageScene } from "./testing/page-scene.ts";

const HELLO = {
  cmd: "hello",
  protocol: "claws/2",
  role: "orchestrator",
  peerName: "page",
  capabilities: ["transient"],
};

const linkOf = async (scene: PageScene, role: "orchestrator" | "observer" = "orchestrator"): Promise<string> =>
  (await scene.open({ role })).urls[0] ?? "";

test("a link gives one browser a cookie and leads it to the page", async () => {
  const scene = await startPageScene();
  const link = await linkOf(scene);
  const { origin, path, code } = splitLink(link);
  const entered = await askPage(origin, `${path}enter?code=${code}`);
  expect([entered.status, entered.headers.location]).toEqual([303, path]);
  expect(entered.headers["set-cookie"]).toEqual([
    expect.stringMatching(
      new RegExp(`^claw_session=claw1\\.[\\w-]+\\.[\\w-]+; Path=${path}; Max-Age=3600; HttpOnly; SameSite=Strict$`),
    ),
  ]);
  expect(entered.headers).toMatchObject({ "referrer-policy": "no-referrer", "cache-control": "no-store" });
  expect(entered.body.length).toBe(0);
  const page = await askPage(origin, path, { headers: { cookie: cookieIn(entered) } });
  expect([page.status, page.body.toString()]).toEqual([200, "<!doctype html><title>page</title>"]);
});

test("a code works once, and for the browser that used it the link goes on to lead to the page", async () => {
  const scene = await startPageScene();
  const link = await linkOf(scene);
  const { origin, path, code } = splitLink(link);
  const answers = await Promise.all([1, 2, 3].map(() => askPage(origin, `${path}enter?code=${code}`)));
  expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([303, 410, 410]);
  const late = answers.find(({ status }) => status === 410);
  expect(late?.body.toString()).toContain("This link was used");
  expect(late?.headers["set-cookie"]).toBeUndefined();
  const cookie = answers.map(cookieIn).find((each) => each !== "") ?? "";
  const again = await askPage(origin, `${path}enter?code=${code}`, { headers: { cookie } });
  expect([again.status, again.headers.location, again.headers["set-cookie"]]).toEqual([303, path, undefined]);
  expect(scene.bus.context.access.tokens.issued()).toHaveLength(1);
});

test("a code expires, and after many wrong codes no reason is told; a right one still works", async () => {
  const scene = await startPageScene();
  const { origin, path, code } = splitLink(await linkOf(scene));
  scene.bus.clock.now += LIMITS.pageCodeMs;
  const enter = (text: string) => askPage(origin, `${path}enter?code=${text}`);
  expect((await enter(code)).body.toString()).toContain("has expired");
  const guesses = [];
  for (let guess = 0; guess < LIMITS.pageWrongCodes + 5; guess += 1) guesses.push(await enter(`${code}${guess}`));
  expect(guesses.map(({ status }) => status)).toEqual([
    ...Array.from({ length: LIMITS.pageWrongCodes - 1 }, () => 403),
    ...Array.from({ length: 6 }, () => 429),
  ]);
  expect(guesses.at(-1)?.headers["retry-after"]).toBe("60");
  const next = splitLink(await linkOf(scene));
  expect((await enter(next.code)).status).toBe(303);
  expect((await enter(next.code)).status).toBe(429);
  scene.bus.clock.now += 60_000;
  expect((await enter("x")).status).toBe(403);
});

test.each([
  ["in advance", { "sec-purpose": "prefetch;prerender" }, 503],
  ["in advance, as older browsers say it", { purpose: "prefetch" }, 503],
  ["in a frame", { "sec-fetch-dest": "iframe" }, 403],
  ["as an image", { "sec-fetch-dest": "image" }, 403],
  ["under another name", { host: "evil.example" }, 403],
])("a link that is opened %s keeps its code", async (_how, headers: Record<string, string>, status) => {
  const { origin, path, code } = splitLink(await linkOf(await startPageScene()));
  const enter = (more: Record<string, string>) => askPage(origin, `${path}enter?code=${code}`, { headers: more });
  expect((await enter(headers)).status).toBe(status);
  expect((await askPage(origin, `${path}enter?code=${code}`, { method: "HEAD" })).status).toBe(405);
  expect((await enter({})).status).toBe(303);
});

test("a browser that another site led here is led on by a page, which sends the cookie", async () => {
  const { origin, path, code } = splitLink(await linkOf(await startPageScene()));
  const entered = await askPage(origin, `${path}enter?code=${code}`, { headers: { "sec-fetch-site": "cross-site" } });
  expect([entered.status, cookieIn(entered)]).toEqual([200, expect.stringContaining("claw_session=")]);
  expect(entered.body.toString()).toContain(`content="0; url=${path}"`);
});

test("a page is a client of the bus with the role of its session", async () => {
  const scene = await startPageScene();
  const socket = await (await enterWith(await linkOf(scene))).socket();
  expect(await socket.ask(HELLO)).toMatchObject({ ok: true });
  expect(await socket.ask({ cmd: "publish", topic: "cmd.p_000009.pause", payload: {} })).toMatchObject({ ok: true });
  const observer = await (await enterWith(await linkOf(scene, "observer"))).socket();
  expect(await observer.ask(HELLO)).toMatchObject({ ok: false, error: "auth:invalid", reason: "role" });
});

test("an observer sees and cannot act", async () => {
  const scene = await startPageScene();
  const socket = await (await enterWith(await linkOf(scene, "observer"))).socket();
  expect(await socket.ask({ ...HELLO, role: "observer" })).toMatchObject({ ok: true });
  expect(await socket.ask({ cmd: "peers" })).toMatchObject({ ok: true });
  for (const cmd of ["publish", "deliver-cmd", "broadcast", "token.create", "page.open", "create"]) {
    const refused = await socket.ask({ cmd, topic: "cmd.x.pause", payload: {}, role: "worker" });
    expect({ cmd, ok: refused["ok"] }).toEqual({ cmd, ok: false });
  }
});

test("a socket opens only for a page of this very address with its cookie", async () => {
  const visitor = await enterWith(await linkOf(await startPageScene()));
  const { origin, cookie } = visitor;
  const { port } = new URL(origin);
  const refused = await Promise.all(
    [
      { cookie },
      { origin },
      { cookie, origin: "https://evil.example" },
      { cookie, origin: "null" },
      { cookie, origin: `http://127.0.0.1:${Number(port) + 1}` },
      { cookie, origin: `http://localhost:${port}` },
      { cookie, origin: `https://127.0.0.1:${port}` },
      { cookie, origin, host: "evil.example" },
      { cookie: `${cookie}x`, origin },
    ].map(async (headers: Record<string, string>) => (await visitor.socket(headers)).status()),
  );
  expect(refused).toEqual(refused.map(() => 403));
  expect((await visitor.socket()).status()).toBe(101);
});

test("a cookie is no token elsewhere, and no token is a cookie", async () => {
  const scene = await startPageScene();
  const visitor = await enterWith(await linkOf(scene));
  const bearer = visitor.cookie.split("=")[1] ?? "";
  const asToken = await askPage(visitor.origin, "/events?topic=**", { headers: { authorization: `Bearer ${bearer}` } });
  expect(asToken.status).toBe(401);
  const local = scene.bus.connect({ surface: "network", bearer });
  expect(await local.ask({ cmd: "hello", protocol: "claws/2", role: "orchestrator", peerName: "x" })).toMatchObject({
    ok: false,
    error: "auth:invalid",
  });
  const token = scene.bus.context.access.tokens.issue({ role: "orchestrator" })?.token ?? "";
  const headers = { cookie: `claw_session=${token}`, origin: visitor.origin };
  expect((await visitor.socket(headers)).status()).toBe(403);
  expect((await visitor.get("", { headers })).status).toBe(401);
});

test("a session that is revoked or signed out hangs up, and its browser is told why", async () => {
  const scene = await startPageScene();
  const [one, two] = [await enterWith(await linkOf(scene)), await enterWith(await linkOf(scene))];
  const [first, second] = [await one.socket(), await two.socket()];
  await Promise.all([first.ask(HELLO), second.ask(HELLO)]);
  const foreign = { origin: "http://127.0.0.1:1" };
  expect((await one.get("session", { method: "DELETE" })).status).toBe(403);
  expect((await one.get("session", { method: "DELETE", headers: foreign })).status).toBe(403);
  const out = await one.get("session", { method: "DELETE", headers: { origin: one.origin } });
  expect([out.status, out.headers["set-cookie"]?.[0]]).toEqual([200, expect.stringContaining("Max-Age=0")]);
  await until("the page is hung up on", () => first.isClosed());
  expect(first.frames.at(-1)).toMatchObject({ error: "auth:invalid", reason: "revoked" });
  expect(second.isClosed()).toBe(false);
  const after = await one.get("session");
  expect([after.status, JSON.parse(after.body.toString())]).toEqual([401, { ok: false, error: "auth:invalid" }]);
  expect((await one.get("")).body.toString()).toContain("session was ended");
});

test("a session says its role and its end, until it expires", async () => {
  const scene = await startPageScene();
  const visitor = await enterWith(await linkOf(scene, "observer"));
  const said = JSON.parse((await visitor.get("session")).body.toString()) as object;
  expect(said).toEqual({
    ok: true,
    role: "observer",
    expires_at: "2026-01-01T01:00:00.000Z",
    version: "1.2.3",
    workspace: "/a/workspace",
  });
  const socket = await visitor.socket();
  await socket.ask({ ...HELLO, role: "observer" });
  scene.bus.clock.now += 60 * 60_000;
  scene.bus.bus.checkPeers();
  await until("the page is hung up on", () => socket.isClosed());
  expect((await visitor.get("session")).body.toString()).toContain("auth:expired");
  expect((await visitor.get("assets/index-abc.js")).status).toBe(401);
});

test("sessions and the address outlast the daemon, and the files say nothing secret", async () => {
  const scene = await startPageScene();
  const visitor = await enterWith(await linkOf(scene));
  const unused = splitLink(await linkOf(scene));
  const next = await scene.restart();
  expect((await visitor.get("session")).status).toBe(200);
  expect((await (await visitor.socket()).ask(HELLO))["ok"]).toBe(true);
  expect((await askPage(unused.origin, `${unused.path}enter?code=${unused.code}`)).body.toString()).toContain(
    "not valid",
  );
  expect(splitLink(await linkOf(next)).origin).toBe(visitor.origin);
  expect(statSync(join(scene.folder, "page.json")).mode & 0o777).toBe(0o600);
});

test("no address is opened after a restart when no session holds any more", async () => {
  const scene = await startPageScene();
  const visitor = await enterWith(await linkOf(scene));
  scene.bus.clock.now += 60 * 60_000;
  await scene.restart();
  await expect(visitor.get("session")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("an address that another program took meanwhile is reported, and a new link has another", async () => {
  const scene = await startPageScene();
  const { origin } = await enterWith(await linkOf(scene));
  await scene.pages.close();
  const squatter = createServer().listen(Number(new URL(origin).port), "127.0.0.1");
  onTestFinished(() => void squatter.close());
  await until("the other program listens", () => (squatter.address() as AddressInfo | null) !== null);
  const next = await scene.restart();
  expect(next.reports).toEqual([expect.stringContaining("EADDRINUSE")]);
  expect(splitLink(await linkOf(next)).origin).not.toBe(origin);
});

test("the address closes some time after its last session, and not before", async () => {
  const scene = await startPageScene();
  const visitor = await enterWith(await linkOf(scene));
  const [session] = scene.bus.context.access.tokens.issued();
  expect(scene.pages.checkDue()).toBeGreaterThan(scene.bus.clock.now);
  scene.bus.bus.host.revokeToken(session?.id ?? "");
  scene.bus.clock.now += LIMITS.pageCodeMs;
  expect(scene.pages.checkDue()).toBe(scene.bus.clock.now + LIMITS.pageLingerMs);
  expect((await visitor.get("session")).status).toBe(401);
  scene.bus.clock.now += LIMITS.pageLingerMs;
  expect(scene.pages.checkDue()).toBe(Infinity);
  await scene.pages.close();
  await expect(visitor.get("session")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("two links at a time share one address, and a public address wants TLS", async () => {
  const scene = await startPageScene();
  const links = await Promise.all([linkOf(scene), linkOf(scene)]);
  expect(new Set(links.map((link) => splitLink(link).origin)).size).toBe(1);
  await expect(scene.open({ address: "0.0.0.0:0" })).rejects.toMatchObject({ code: "INVALID_FLAG_VALUE" });
  const { urls, isPublic } = await scene.open({ address: "0.0.0.0:0", insecure: true });
  expect(isPublic).toBe(true);
  expect(urls.every((url) => !url.includes("0.0.0.0"))).toBe(true);
});

test.each(["", "{", '{"key":"short","addresses":[]}', '{"key":"../../etc/passwd","addresses":[]}'])(
  "a state file that holds %j is replaced",
  async (text) => {
    const scene = await startPageScene();
    writeFileSync(join(scene.folder, "page.json"), text);
    const next = await scene.restart();
    expect((await enterWith(await linkOf(next))).path).toMatch(/^\/[\w-]{12}\/$/);
    expect(next.reports).toEqual([expect.stringContaining("browsers need a new link")]);
  },
);
