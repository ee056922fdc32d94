import { get } from "node:https";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../process/testing/until.ts";
import { HANDLERS } from "../requests/handlers.generated.ts";
import type { Frame } from "../testing/bus-harness.ts";
import { makeSelfSigned } from "../testing/self-signed.ts";
import { startHttp } from "../testing/start-http.ts";
import { createHttpTransport } from "./http.ts";

const EVERY_REQUEST = [...HANDLERS.keys()].map(String);

/** The status of a refused upgrade, or the frames of an accepted one until the server hangs up. */
async function talk(url: string, headers: Record<string, string>, lines: readonly Frame[]): Promise<Frame[] | number> {
  const ws = new WebSocket(url.replace("http", "ws"), { headers });
  const frames: Frame[] = [];
  let status = 0;
  let ended = false;
  ws.on("unexpected-response", (_request, response) => {
    status = response.statusCode ?? 0;
    ws.terminate();
  });
  ws.on("error", () => (ended = true));
  ws.on("close", () => (ended = true));
  ws.on("message", (data) => frames.push(JSON.parse((data as Buffer).toString()) as Frame));
  ws.on("open", () => lines.forEach((line) => ws.send(JSON.stringify(line))));
  await until(() => ended || (lines.length > 0 && frames.length >= lines.length));
  ws.terminate();
  return status === 0 ? frames : status;
}

describe("the server", () => {
  test("says that it is well to anybody, and nothing else", async () => {
    const { ask } = await startHttp();
    expect(await ask("/health")).toMatchObject({ status: 200, body: { ok: true } });
    expect(Object.keys((await ask("/health")).body)).toEqual(["ok"]);
  });

  test("knows its addresses and their methods", async () => {
    const { ask } = await startHttp();
    expect((await ask("/nothing")).status).toBe(404);
    expect((await ask("/publish")).status).toBe(405);
    expect((await ask("/events", { body: "{}" })).status).toBe(405);
    expect((await ask("/health", { method: "OPTIONS" })).headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("hands other addresses on, after the same checks", async () => {
    const { ask } = await startHttp({
      fallback: (_request, response) => void response.end('{"page":1}'),
    });
    expect((await ask("/index.html")).body).toEqual({ page: 1 });
    expect((await ask("/index.html", { headers: { host: "evil.example" } })).status).toBe(403);
  });

  test.each([
    ["host", "evil.example"],
    ["host", "127.0.0.1.evil.example"],
    ["host", "0.0.0.0"],
    ["origin", "https://evil.example"],
    ["origin", "http://localhost:1"],
    ["origin", "null"],
    ["origin", "file://"],
  ])("refuses the %s %j on every address and for a WebSocket", async (name, value) => {
    const { ask, url, mint } = await startHttp();
    const headers = { ...mint({ role: "orchestrator" }), [name]: value };
    for (const path of ["/health", "/events?topic=x", "/nothing"]) {
      expect((await ask(path, { headers })).status).toBe(403);
    }
    expect((await ask("/command", { headers, body: '{"cmd":"ping"}' })).status).toBe(403);
    expect(await talk(url, headers, [{ cmd: "ping" }])).toBe(403);
  });

  test.each(["GET /health HTTP/1.1\r\nHost: ", "GET /health HTTP/1.1\r\nHost: /", "GET /health HTTP/1.0"])(
    "refuses %j, which names no host",
    async (head) => {
      const { port } = await startHttp();
      const socket = connect(port, "127.0.0.1");
      let text = "";
      socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      socket.write(`${head}\r\n\r\n`);
      await until(() => text.includes("\r\n\r\n"));
      socket.destroy();
      expect(text).toMatch(/^HTTP\/1\.1 403 /);
    },
  );

  test("takes its own names and origins, and configured ones", async () => {
    const { ask, port, url, mint } = await startHttp({ hosts: ["claw.example"] });
    const own = [
      { host: `localhost:${port}`, origin: `http://localhost:${port}` },
      { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` },
      { host: `[::1]:${port}` },
      { host: "claw.example", origin: "https://claw.example" },
    ];
    for (const headers of own) {
      expect((await ask("/health", { headers })).status).toBe(200);
      expect(await talk(url, { ...headers, ...mint({ role: "observer" }) }, [{ cmd: "ping" }])).toMatchObject([
        { ok: true },
      ]);
    }
  });

  test.each(["0.0.0.0", "::", "192.0.2.1", "example.com"])(
    "is not reachable from other machines at %s without TLS unless told so",
    (host) => {
      const refusal = expect.objectContaining({ code: "INVALID_FLAG_VALUE" });
      expect(() => createHttpTransport({ host, port: 0 })).toThrow(refusal);
      expect(() => createHttpTransport({ host, port: 0, insecure: true })).not.toThrow();
    },
  );

  test("says when it cannot listen", async () => {
    const { port } = await startHttp();
    const second = createHttpTransport({ host: "127.0.0.1", port });
    const accept = () => {
      throw new Error("nobody connects");
    };
    await expect(second.listen(accept)).rejects.toMatchObject({ code: "INVALID_FLAG_VALUE" });
    await second.close();
  });

  test("speaks TLS with a certificate", async () => {
    const tls = makeSelfSigned();
    const { port, url, mint } = await startHttp({ tls });
    expect(url).toBe(`https://127.0.0.1:${port}`);
    const status = await new Promise((resolve, reject) => {
      get({ port, path: "/health", rejectUnauthorized: false, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on("error", reject);
    });
    expect(status).toBe(200);
    const ws = new WebSocket(url.replace("http", "ws"), {
      rejectUnauthorized: false,
      headers: mint({ role: "worker" }),
    });
    onTestFinished(() => ws.terminate());
    const answer = new Promise((resolve) => ws.on("message", (data) => resolve((data as Buffer).toString())));
    ws.on("open", () => ws.send('{"cmd":"ping"}'));
    expect(JSON.parse((await answer) as string)).toMatchObject({ ok: true });
  });
});

describe("without a good token", () => {
  test.each(EVERY_REQUEST)("%s is refused on every way in", async (cmd) => {
    const { ask, url, tokens } = await startHttp();
    const used = tokens.mint({ role: "orchestrator", once: true });
    tokens.verify(used);
    const refusals = [
      [undefined, "auth:required"],
      ["junk", "auth:invalid"],
      [used, "auth:invalid"],
      [tokens.mint({ role: "orchestrator", lifetimeMs: 0 }), "auth:expired"],
    ] as const;
    for (const [token, error] of refusals) {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const request = { cmd, protocol: "claws/2", role: "orchestrator" };
      expect(await talk(url, headers, [request])).toMatchObject([{ ok: false, error }]);
      expect(await talk(url, {}, [{ bearer: token ?? null, cmd: "auth" }])).toMatchObject([{ ok: false }]);
      expect(await ask("/command", { headers, body: JSON.stringify(request) })).toMatchObject({
        status: 401,
        body: { ok: false, error },
      });
    }
  });

  test("events are refused too", async () => {
    const { ask, mint } = await startHttp();
    expect(await ask("/events?topic=x")).toMatchObject({ status: 401, body: { error: "auth:required" } });
    const expired = mint({ role: "observer", lifetimeMs: 0 });
    expect(await ask("/events?topic=x", { headers: expired })).toMatchObject({ status: 401 });
  });
});
