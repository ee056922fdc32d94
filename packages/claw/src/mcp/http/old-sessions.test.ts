import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import type { HttpScene } from "./testing/http-scene.ts";
import { LEGACY, startHttpFace } from "./testing/http-scene.ts";

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };

interface Asking {
  readonly session?: string;
  readonly method?: string;
  readonly token?: string;
  readonly message?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask({ ask: send }: HttpScene, { session, method = "POST", token = "one", message, headers }: Asking) {
  return send({
    method,
    ...(message === undefined ? {} : { body: JSON.stringify(message) }),
    headers: {
      ...HEADERS,
      authorization: `Bearer ${token}`,
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...headers,
    },
  });
}

async function begin(scene: HttpScene, token = "one"): Promise<string> {
  const response = await ask(scene, { message: INITIALIZE, token });
  expect(response.status).toBe(200);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

/** Reads a stream until its text has what is looked for. */
async function readUntil(response: Response, wanted: RegExp): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!wanted.test(text)) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: "" };
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return text;
}

describe("a session of the old protocol", () => {
  test("belongs to its token", async () => {
    const scene = await startHttpFace();
    const session = await begin(scene);
    expect((await ask(scene, { session, message: LIST })).status).toBe(200);
    const foreign = await ask(scene, { session, message: LIST, token: "two" });
    expect([foreign.status, await foreign.json()]).toMatchObject([404, { id: 2, error: { code: -32_001 } }]);
  });

  test("is needed for everything but its beginning", async () => {
    const scene = await startHttpFace();
    const version = { "mcp-protocol-version": LEGACY };
    expect((await ask(scene, { message: LIST })).status).toBe(400);
    for (const method of ["GET", "DELETE"]) expect((await ask(scene, { method, headers: version })).status).toBe(400);
    for (const method of ["GET", "DELETE", "POST"]) {
      const gone = await ask(scene, { method, session: "no-such", ...(method === "POST" ? { message: LIST } : {}) });
      expect(gone.status).toBe(404);
    }
  });

  test("ends by DELETE, with its streams", async () => {
    const scene = await startHttpFace();
    const session = await begin(scene);
    const stream = await ask(scene, { session, method: "GET" });
    expect((await ask(scene, { session, method: "DELETE" })).status).toBe(200);
    expect(await stream.text()).not.toContain("data:");
    expect((await ask(scene, { session, message: LIST })).status).toBe(404);
  });

  test("has one stream for what the server says by itself", async () => {
    const scene = await startHttpFace();
    const session = await begin(scene);
    const uri = "claw://approvals";
    const subscribe = { jsonrpc: "2.0", id: 3, method: "resources/subscribe", params: { uri } };
    await (await ask(scene, { session, message: subscribe })).text();
    const stream = await ask(scene, { session, method: "GET" });
    expect((await ask(scene, { session, method: "GET" })).status).toBe(409);
    scene.changed(uri);
    expect(await readUntil(stream, /notifications/)).toContain(`"uri":"${uri}"`);
  });

  test("gives a client that comes back what it missed, once and in order", async () => {
    const scene = await startHttpFace();
    const session = await begin(scene);
    const uri = "claw://approvals";
    const subscribe = { jsonrpc: "2.0", id: 3, method: "resources/subscribe", params: { uri } };
    await (await ask(scene, { session, message: subscribe })).text();
    const stream = await ask(scene, { session, method: "GET" });
    scene.changed(uri);
    const [, last = ""] = /^id: (.*)$/m.exec(await readUntil(stream, /\n\n/)) ?? [];
    // The server notices that the client has left when the stream is free again.
    await until(async () => {
      const free = await ask(scene, { session, method: "GET" });
      await free.body?.cancel();
      return free.status === 200;
    });
    for (let changes = 0; changes < 3; changes += 1) scene.changed(uri);
    const again = await until(async () => {
      const back = await ask(scene, { session, method: "GET", headers: { "last-event-id": last } });
      return back.status === 200 ? back : undefined;
    });
    const ids = [...(await readUntil(again, /(id: [^]*){3}\n\n/)).matchAll(/^id: (.*)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual([Number(last) + 1, Number(last) + 2, Number(last) + 3]);
    const unknown = await ask(scene, { session, method: "GET", headers: { "last-event-id": "no-such" } });
    expect(unknown.status).toBe(400);
  });

  test("that was silent longest makes room for a new one", async () => {
    const scene = await startHttpFace();
    const first = await begin(scene);
    const second = await begin(scene);
    await (await ask(scene, { session: first, message: LIST })).text();
    for (let more = 2; more <= LIMITS.mcpSessions; more += 1) await begin(scene);
    expect((await ask(scene, { session: second, message: LIST })).status).toBe(404);
    expect((await ask(scene, { session: first, message: LIST })).status).toBe(200);
  });

  test("is not begun by a request that the protocol refuses", async () => {
    const scene = await startHttpFace();
    const refused = await ask(scene, { message: INITIALIZE, headers: { accept: "application/json" } });
    expect([refused.status, refused.headers.get("mcp-session-id")]).toEqual([406, null]);
  });
});
