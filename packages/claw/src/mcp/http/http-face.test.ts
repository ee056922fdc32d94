import { ClawError, LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { LEGACY, MODERN, modern, startHttpFace } from "./testing/http-scene.ts";

const said = (result: unknown): unknown => (result as { content: { text: string }[] }).content[0]?.text;

const codeOf = async (response: Response): Promise<[number, number | undefined]> => {
  const text = await response.text();
  const body = (text === "" ? {} : JSON.parse(text)) as { error?: { code: number } };
  return [response.status, body.error?.code];
};

describe.each([LEGACY, MODERN])("a client of %s", (version) => {
  test("lists and calls tools", async () => {
    const scene = await startHttpFace();
    const client = await scene.connect(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["who", "hang", "large"]);
    expect(said(await client.callTool({ name: "who", arguments: {} }))).toBe("one");
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
  });

  test("gets a large answer whole", async () => {
    const scene = await startHttpFace();
    const client = await scene.connect(version);
    expect(String(said(await client.callTool({ name: "large", arguments: {} })))).toHaveLength(2 * 1024 * 1024);
  });

  test("is who its token says, beside others", async () => {
    const scene = await startHttpFace();
    const names = Array.from({ length: 20 }, (_, index) => `token${index % 5}`);
    const clients = await Promise.all(names.map((name) => scene.connect(version, name)));
    const answers = await Promise.all(clients.map((client) => client.callTool({ name: "who", arguments: {} })));
    expect(answers.map(said)).toEqual(names);
    expect(scene.happened.filter((line) => line.startsWith("open"))).toHaveLength(5);
  });

  test("ends its call when it cancels", async () => {
    const scene = await startHttpFace();
    const client = await scene.connect(version);
    const cancel = new AbortController();
    const call = client.callTool({ name: "hang", arguments: {} }, { signal: cancel.signal }).catch(() => "cancelled");
    await until(() => scene.happened.includes("hang"));
    cancel.abort();
    expect(await call).toBe("cancelled");
    expect(await until(() => scene.happened.includes("aborted"))).toBe(true);
  });

  test("loses its calls and streams when its token ends, and others go on", async () => {
    const scene = await startHttpFace();
    const [client, other] = [await scene.connect(version, "one"), await scene.connect(version, "two")];
    const call = client.callTool({ name: "hang", arguments: {} }, { timeout: 100_000 }).catch(() => undefined);
    await until(() => scene.happened.includes("hang"));
    scene.expel("one");
    await until(() => scene.happened.includes("close one") && scene.happened.includes("aborted"));
    expect(said(await other.callTool({ name: "who", arguments: {} }))).toBe("two");
    await client.close();
    await call;
  });
});

describe("a request of the new protocol", () => {
  test("that is not answered when its client leaves ends", async () => {
    const scene = await startHttpFace();
    const leaving = new AbortController();
    const call = fetch(scene.url, {
      method: "POST",
      signal: leaving.signal,
      headers: {
        authorization: "Bearer one",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": MODERN,
        "mcp-method": "tools/call",
        "mcp-name": "hang",
      },
      body: JSON.stringify(modern("tools/call", { name: "hang", arguments: {} })),
    }).catch(() => undefined);
    await until(() => scene.happened.includes("hang"));
    leaving.abort();
    await call;
    expect(await until(() => scene.happened.includes("aborted"))).toBe(true);
  });

  const CALL = modern("tools/call", { name: "who", arguments: {} });
  const MISMATCH = [400, -32_020];
  test.each([
    ["another method in its header", { "mcp-method": "tools/list" }, MISMATCH],
    ["a method in other letters", { "mcp-method": "TOOLS/CALL" }, MISMATCH],
    ["no method in a header", { "mcp-method": undefined }, MISMATCH],
    ["another name in its header", { "mcp-name": "hang" }, MISMATCH],
    ["no name in a header", { "mcp-name": undefined }, MISMATCH],
    ["an older version in its header", { "mcp-protocol-version": LEGACY }, MISMATCH],
    ["no version in a header", { "mcp-protocol-version": undefined }, MISMATCH],
    ["no JSON as its content", { "content-type": "text/plain" }, [415, -32_000]],
  ])("with %s is refused", async (_what, headers, expected) => {
    const scene = await startHttpFace();
    expect(await codeOf(await scene.post(CALL, headers))).toEqual(expected);
    expect((await scene.post(CALL)).status).toBe(200);
  });

  test("of an unknown version is told which versions there are", async () => {
    const scene = await startHttpFace();
    const message = JSON.parse(JSON.stringify(CALL).replace(MODERN, "2099-01-01")) as object;
    const response = await scene.post(message, { "mcp-protocol-version": "2099-01-01" });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { id: 1, error: { code: -32_022, data: { supported: [MODERN], requested: "2099-01-01" } } },
    ]);
  });

  test.each([
    ["no JSON", "{", [400, -32_700]],
    ["nothing", "", [400, -32_700]],
    ["too deep a value", `{"a":${"[".repeat(LIMITS.requestDepth + 1)}`, [400, -32_600]],
    ["too large a value", `"${"x".repeat(LIMITS.requestLineBytes)}"`, [413, -32_000]],
    ["a number", "1", [400, -32_600]],
    ["no message", "{}", [400, -32_600]],
    ["an empty batch", "[]", [400, -32_600]],
  ])("whose body is %s is refused, and the next one is answered", async (_what, body, expected) => {
    const scene = await startHttpFace();
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    expect(await codeOf(await scene.ask({ method: "POST", body, headers }))).toEqual(expected);
    expect((await scene.post(CALL)).status).toBe(200);
  });

  test.each([
    ["GET", "POST"],
    ["DELETE", "POST"],
    ["PUT", "GET, POST, DELETE"],
    ["OPTIONS", "GET, POST, DELETE"],
  ])("by %s is refused", async (method, allowed) => {
    const scene = await startHttpFace();
    const response = await scene.ask({ method, headers: { "mcp-protocol-version": MODERN } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allowed]);
  });

  test("for an unknown method or tool is refused by its code", async () => {
    const scene = await startHttpFace();
    expect(await codeOf(await scene.post(modern("no/such")))).toEqual([404, -32_601]);
    expect(await codeOf(await scene.post(modern("tools/call", { name: "no_such", arguments: {} })))).toEqual([
      200, -32_602,
    ]);
  });
});

describe("a guest that the bus refuses", () => {
  test("is told so, and may come again", async () => {
    let refusal: Error | undefined = new ClawError("TOKEN_INVALID", "used", { operation: "hello", target: "bus" });
    const scene = await startHttpFace({ refuse: () => refusal });
    const list = modern("tools/list");
    const first = await scene.post(list);
    expect([first.status, first.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    refusal = new ClawError("BUS_UNREACHABLE", "away", { operation: "hello", target: "bus" });
    expect(await codeOf(await scene.post(list))).toEqual([503, -32_603]);
    refusal = undefined;
    expect((await scene.post(list)).status).toBe(200);
    expect(scene.happened).toEqual(["open one"]);
  });
});
