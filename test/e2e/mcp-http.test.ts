import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { killHard, startDaemon } from "./daemon-process.ts";
import { connectMcp, httpDoor } from "./mcp-scene.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const HTTP = ["--http", "127.0.0.1:0"];
const ALL = "/mcp/all";
const LEADING = new Set(["claws_answer", "claws_control", "claws_review", "claws_create", "claw_abort"]);

const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "matrix", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const message = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } });

const READ = message("resources/read", { uri: "claw://approvals" });

const headersOf = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": MODERN,
  "mcp-method": "resources/read",
  "mcp-name": "claw://approvals",
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request with exactly these headers: `fetch` would set Host by itself, and refuse some. */
function sendRaw(url: URL, headers: Readonly<Record<string, string>>, body: string, method = "POST"): Promise<Answer> {
  const lines = Object.entries({ host: url.host, ...headers, "content-length": String(Buffer.byteLength(body)) });
  const head = [`${method} ${url.pathname} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.setEncoding("utf8").on("error", reject);
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("connection: close") || text.includes("Connection: close")) socket.end();
    });
    socket.on("close", () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }));
    socket.write(`${head.join("\r\n")}\r\nconnection: close\r\n\r\n${body}`);
  });
}

async function serveHttp(): Promise<{ workspace: Workspace; url: URL; token: string }> {
  const workspace = createWorkspace(HTTP);
  await startDaemon(workspace);
  return { workspace, ...(await httpDoor(workspace)) };
}

async function tokenFor(
  workspace: Workspace,
  role: string,
  ...flags: string[]
): Promise<{ token: string; id: string }> {
  const { token, token_id: id } = await clawJson(workspace, ["tokens", "create", "--role", role, ...flags]);
  return { token: String(token), id: String(id) };
}

type Headers = Readonly<Record<string, string | undefined>>;

/** What a request is refused for: a change of its headers, and the status and the error that follow. */
const REFUSALS: readonly [string, Headers, number, string][] = [
  ["no token", { authorization: undefined }, 401, '"auth:required"'],
  ["another scheme", { authorization: "Basic abc" }, 401, '"auth:required"'],
  ["a forged token", { authorization: "Bearer claw1.forged.token" }, 401, '"auth:invalid"'],
  ["another host", { host: "evil.example" }, 403, "host not allowed"],
  ["a host that leads here", { host: "evil.example@127.0.0.1" }, 403, "host not allowed"],
  ["a page of another site", { origin: "https://evil.example" }, 403, "origin not allowed"],
  ["a page without an origin", { origin: "null" }, 403, "origin not allowed"],
  ["a page on another port of this machine", { origin: "http://127.0.0.1:1" }, 403, "origin not allowed"],
  ["another method in the header", { "mcp-method": "tools/call" }, 400, "-32020"],
  ["a method in other letters", { "mcp-method": "Resources/Read" }, 400, "-32020"],
  ["no method in a header", { "mcp-method": undefined }, 400, "-32020"],
  ["another name in the header", { "mcp-name": "claw://log" }, 400, "-32020"],
  ["no name in a header", { "mcp-name": undefined }, 400, "-32020"],
  ["another version in the header", { "mcp-protocol-version": LEGACY }, 400, "-32020"],
  ["no version in a header", { "mcp-protocol-version": undefined }, 400, "-32020"],
  ["a content that is not JSON", { "content-type": "text/plain" }, 415, "-32000"],
];

describe("a request over HTTP", () => {
  test("is served, or refused with the specification's codes", async () => {
    const { url, token } = await serveHttp();
    const ask = (change: Headers = {}): Promise<Answer> => {
      const all = Object.entries({ ...headersOf(token), ...change });
      return sendRaw(
        url,
        Object.fromEntries(all.filter((pair): pair is [string, string] => pair[1] !== undefined)),
        READ,
      );
    };
    const answers = [];
    for (const [what, change, , code] of REFUSALS) {
      const answer = await ask(change);
      answers.push([what, answer.status, answer.text.includes(code) ? code : answer.text]);
      expect([what, (await ask()).status]).toEqual([what, 200]);
    }
    expect(answers).toEqual(REFUSALS.map(([what, _change, status, code]) => [what, status, code]));
    const own = await ask({ origin: url.origin });
    expect(own.status).toBe(200);
  });

  const UNKNOWN = "2099-01-01";
  test.each<[string, { body: string; change?: Record<string, string>; status: number; code: string }]>([
    [
      "a version that no server knows",
      {
        body: READ.replaceAll(MODERN, UNKNOWN),
        change: { "mcp-protocol-version": UNKNOWN },
        status: 400,
        code: "-32022",
      },
    ],
    ["no JSON", { body: "{", status: 400, code: "-32700" }],
    ["too much", { body: `"${"x".repeat(1024 * 1024)}"`, status: 413, code: "-32000" }],
    ["too deep a nesting", { body: `${"[".repeat(600)}${"]".repeat(600)}`, status: 400, code: "-32600" }],
    [
      "a method that is gone",
      { body: message("ping"), change: { "mcp-method": "ping", "mcp-name": "" }, status: 404, code: "-32601" },
    ],
    [
      "a request of the old protocol without a session",
      { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', status: 400, code: "-32" },
    ],
  ])("with %s is refused", async (_what, { body, change = {}, status, code }) => {
    const { url, token } = await serveHttp();
    const answer = await sendRaw(url, { ...headersOf(token), ...change }, body);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(code)]);
    expect((await sendRaw(url, headersOf(token), READ)).status).toBe(200);
  });

  test.each(["GET", "DELETE", "PUT", "PATCH"])("by %s is refused without a session", async (method) => {
    const { url, token } = await serveHttp();
    expect((await sendRaw(url, headersOf(token), "", method)).status).toBe(405);
    const old = { ...headersOf(token), "mcp-protocol-version": LEGACY, "mcp-session-id": "no-such" };
    expect((await sendRaw(url, old, "", method)).status).toBe(method === "GET" || method === "DELETE" ? 404 : 405);
  });

  test("that stops in its middle ends with its client, and others are served", async () => {
    const { url, token } = await serveHttp();
    const socket = connect(Number(url.port), url.hostname);
    onTestFinished(() => void socket.destroy());
    const head = Object.entries({ host: url.host, ...headersOf(token), "content-length": "1000" });
    socket.write(
      `POST /mcp HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n{"jsonrpc"`,
    );
    expect((await sendRaw(url, headersOf(token), READ)).status).toBe(200);
    socket.destroy();
    expect((await sendRaw(url, headersOf(token), READ)).status).toBe(200);
  });
});

describe.each([LEGACY, MODERN] as const)("over HTTP in %s", (version) => {
  const face = { version, over: "http" } as const;

  test("an observer's token sees only tools that read, and can call no other", async () => {
    const { workspace } = await serveHttp();
    const { token } = await tokenFor(workspace, "observer");
    const { client, tools, call } = await connectMcp(workspace, { ...face, token });
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual(
      tools.map(({ name }) => [name, true]),
    );
    expect(tools.map(({ name }) => name)).toContain("claws_workers");
    expect(await call("claws_workers")).toMatchObject({ total: 0 });
    const publishing = client.callTool({ name: "claws_publish", arguments: { topic: "note.a", payload: {} } });
    await expect(publishing).rejects.toMatchObject({ code: -32_602 });
  });

  test("a worker's token cannot orchestrate", async () => {
    const { workspace } = await serveHttp();
    const { token } = await tokenFor(workspace, "worker", "--peer", "w1");
    const { client } = await connectMcp(workspace, { ...face, token });
    const forbidden: [string, object][] = [
      ["claws_answer", { approval: "a", decision: "approve", hash: "0" }],
      ["claws_control", { worker: "w2", action: "abort" }],
      ["claws_budget", { usd: 1 }],
      ["claws_review", { worker: "w2", decision: "accept" }],
      ["claws_publish", { topic: "cmd.w2.abort", payload: {} }],
    ];
    for (const [name, input] of forbidden) {
      const answer = await client
        .callTool({ name, arguments: input as Record<string, unknown> })
        .catch(() => undefined);
      expect([name, answer === undefined || answer.isError]).toEqual([name, true]);
    }
    const { events } = await clawJson(workspace, ["events", "--topic", "cmd.**"]);
    expect(events).toEqual([]);
  });

  test("at /mcp/all, a lead gets the tools of --tools all, as the peer that it is at /mcp", async () => {
    const { workspace, url } = await serveHttp();
    const [few, all] = [await connectMcp(workspace, face), await connectMcp(workspace, { ...face, path: ALL })];
    const own = await connectMcp(workspace, { version, args: ["--tools", "all"] });
    expect(all.tools).toEqual(own.tools);
    expect(few.tools.length).toBeLessThan(all.tools.length);
    await all.call("claws_subscribe", { topic: "note.*" });
    await few.call("claws_publish", { topic: "note.a", payload: { text: "it is password=hunter22x" } });
    const { events } = await all.call("claws_drain_events");
    expect((events as { payload: { data: unknown } }[]).map(({ payload }) => payload.data)).toEqual([
      { text: "it is password=[REDACTED]" },
    ]);
    expect(await all.call("claw_ps")).toMatchObject({ workers: [] });
    const { peers } = await clawJson(workspace, ["peers"]);
    expect((peers as { name: string }[]).filter(({ name }) => name === "mcp")).toHaveLength(1);
    const other = await sendRaw(new URL("/mcp/other", url), headersOf("none"), READ);
    expect(other.status).toBe(404);
  });

  test.each(["observer", "worker"] as const)("at /mcp/all, a token of %s sees no files of the user", async (role) => {
    const { workspace } = await serveHttp();
    const { token } = await tokenFor(workspace, role, ...(role === "worker" ? ["--peer", "w1"] : []));
    const { client, tools } = await connectMcp(workspace, { ...face, token, path: ALL });
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["claws_workers", "claws_peers", "claw_ps", "claw_events"]));
    const hidden = ["claw_load_session", "claw_parse_stream", "claw_config", "claw_prompt", "claw_spawn", "claws_exec"];
    expect(hidden.filter((name) => names.includes(name))).toEqual([]);
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name);
    expect(writing.includes("claws_publish")).toBe(role === "worker");
    expect(writing.filter((name) => role === "observer" || LEADING.has(name))).toEqual([]);
    const reading = client.callTool({ name: "claw_load_session", arguments: { sessionId: "latest" } });
    await expect(reading).rejects.toMatchObject({ code: -32_602 });
  });

  test("each token is a peer of its own, the same one after the daemon was killed", async () => {
    const { workspace } = await serveHttp();
    const [one, two] = [await tokenFor(workspace, "orchestrator"), await tokenFor(workspace, "orchestrator")];
    const peersOf = async (): Promise<unknown[]> => {
      for (const { token } of [one, two, one]) {
        const scene = await connectMcp(workspace, { ...face, token });
        expect(await scene.call("claws_workers")).toMatchObject({ total: 0 });
        await scene.close();
      }
      const { peers } = await clawJson(workspace, ["peers"]);
      return (peers as { peer_id: string; name: string }[])
        .filter(({ name }) => name === "mcp")
        .map((peer) => peer.peer_id)
        .sort();
    };
    const before = await peersOf();
    expect(before).toHaveLength(2);
    const { pid } = await clawJson(workspace, ["up"]);
    await killHard(Number(pid));
    await startDaemon(workspace);
    expect(await peersOf()).toEqual(before);
  });

  test("a revoked token ends what it has open", async () => {
    const { workspace } = await serveHttp();
    const { token, id } = await tokenFor(workspace, "orchestrator");
    const { client } = await connectMcp(workspace, { ...face, token });
    const isThere = async (): Promise<boolean> => {
      const { peers } = await clawJson(workspace, ["peers"]);
      return (peers as { name: string }[]).some(({ name }) => name === "mcp");
    };
    const leaving = new AbortController();
    const input = { topics: ["note.*"], wait_seconds: 40 };
    const waiting = client.callTool({ name: "claws_events", arguments: input }, { signal: leaving.signal }).then(
      ({ isError }) => (isError ? "refused" : "answered"),
      () => "ended",
    );
    await until("the call to wait", isThere);
    expect(await clawJson(workspace, ["tokens", "revoke", id])).toMatchObject({ effect: "deleted" });
    await until("its peer to be gone", async () => !(await isThere()));
    await expect(client.callTool({ name: "claws_workers", arguments: {} })).rejects.toBeInstanceOf(Error);
    // A client of the old protocol would try to come back until its own time is over.
    leaving.abort();
    expect(await waiting).not.toBe("answered");
  });
});

test("20 clients at once, in both eras and with several tokens, each get their own answers", async () => {
  const { workspace } = await serveHttp();
  const tokens = await Promise.all([1, 2, 3, 4].map(() => tokenFor(workspace, "orchestrator")));
  const scenes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      connectMcp(workspace, {
        version: index % 2 === 0 ? MODERN : LEGACY,
        over: "http",
        token: tokens[index % tokens.length]?.token ?? "",
      }),
    ),
  );
  const published = await Promise.all(
    scenes.map(({ call }, index) => call("claws_publish", { topic: `note.c${index}`, payload: { index } })),
  );
  expect(new Set(published.map(({ sequence }) => sequence)).size).toBe(20);
  const read = await Promise.all(
    scenes.map(({ call }, index) => call("claws_events", { topics: [`note.c${index}`], since: "0000:0" })),
  );
  expect(read.map(({ events }) => (events as { payload: unknown }[]).length)).toEqual(scenes.map(() => 1));
  const { peers } = await clawJson(workspace, ["peers"]);
  expect((peers as { name: string }[]).filter(({ name }) => name === "mcp")).toHaveLength(tokens.length);
});
