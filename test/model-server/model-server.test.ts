import { request } from "node:http";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startModelServer } from "./model-server.ts";
import type { ModelScenario } from "./model-scenario.ts";
import { broken, FAULTS, say, use } from "./model-scenario.ts";
import { SCENARIOS } from "./scenarios.ts";
import { readSse } from "./sse.ts";

const hello = say("Hello there, and here.");

const OWN = {
  hello: { turns: [hello] },
  two: { turns: [use("Bash", { command: "ls __RUN__" }), say("two")] },
  later: { turns: [[FAULTS.overloaded, FAULTS.rateLimitedFor(3), hello]] },
  sub: { turns: [say("main")], conversations: [{ prompt: "SUB", turns: [[FAULTS.overloaded, say("sub")]] }] },
  drip: { turns: [{ ...hello, dripMs: 40 }] },
  "bad-body": { turns: [{ kind: "bad-body" }] },
  "reset-before": { turns: [{ kind: "reset" }] },
  "hang-inside": { turns: [broken(hello, "hang", 3)] },
  "error-event": { turns: [broken(hello, "error-event", 3)] },
} as const satisfies Record<string, ModelScenario>;

const waited: number[] = [];
const server = await startModelServer({
  scenarios: { ...SCENARIOS, ...OWN },
  wait: async (ms) => void waited.push(ms),
});
afterAll(() => server.close());

/** Says what its tool gave. */
const echo: ModelScenario = { turns: [({ output }) => say(output)] };

const user = { role: "user", content: "hello" };
const assistant = { role: "assistant", content: "…" };

interface Ask {
  readonly run: string;
  readonly messages?: readonly unknown[];
  readonly stream?: boolean;
  readonly signal?: AbortSignal;
}

const ask = (scenario: string, { run, messages = [user], stream = true, signal }: Ask): Promise<Response> =>
  fetch(`${server.baseUrl(scenario, run)}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ model: "a-model", messages, stream }),
    ...(signal === undefined ? {} : { signal }),
  });

const typesOf = async (response: Response): Promise<string[]> =>
  readSse(await response.text()).map(({ event }) => event);

/** What came before the connection ended or was torn. Not by fetch, which forgets what it has not handed on when it is. */
function readTorn(scenario: string, stream: boolean): Promise<{ text: string; torn: boolean }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.baseUrl(scenario, "torn")}/v1/messages`, { method: "POST" }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("error", () => resolve({ text, torn: true }));
      response.on("end", () => resolve({ text, torn: false }));
    });
    sent.on("error", reject).end(JSON.stringify({ model: "a-model", messages: [user], stream }));
  });
}

describe("answers", () => {
  test("are streamed when asked for", async () => {
    const response = await ask("hello", { run: "a" });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect((await typesOf(response)).slice(-2)).toEqual(["message_delta", "message_stop"]);
  });

  test("are one object otherwise", async () => {
    const response = await ask("hello", { run: "a", stream: false });
    expect(await response.json()).toMatchObject({ content: [{ type: "text", text: "Hello there, and here." }] });
  });

  test("come from the Responses API too", async () => {
    const post = (stream: boolean): Promise<Response> =>
      fetch(`${server.baseUrl("hello", "r")}/v1/responses`, {
        method: "POST",
        body: JSON.stringify({ model: "gpt", input: "hello", stream }),
      });
    expect(await typesOf(await post(true))).toContain("response.completed");
    expect(await (await post(false)).json()).toMatchObject({ object: "response", status: "completed", model: "gpt" });
  });

  test("come from the Chat Completions API too", async () => {
    const post = (stream: boolean): Promise<Response> =>
      fetch(`${server.baseUrl("hello", "c")}/v1/chat/completions`, {
        method: "POST",
        body: JSON.stringify({ model: "gpt", messages: [user], stream, stream_options: { include_usage: true } }),
      });
    const data = readSse(await (await post(true)).text()).map((event) => event.data);
    expect(data.slice(-2)).toEqual([expect.stringContaining('"prompt_tokens":1000'), "[DONE]"]);
    expect(await (await post(false)).json()).toMatchObject({ object: "chat.completion", model: "gpt" });
  });

  test("pass time between their events when they drip", async () => {
    const types = await typesOf(await ask("drip", { run: "a" }));
    expect(waited).toEqual(types.map(() => 40));
  });
});

describe("turns", () => {
  test("follow the conversation, and know the run", async () => {
    const first = await ask("two", { run: "/folder", stream: false });
    expect(await first.json()).toMatchObject({ content: [{ name: "Bash", input: { command: "ls /folder" } }] });
    const second = await ask("two", { run: "/folder", stream: false, messages: [user, assistant, user] });
    expect(await second.json()).toMatchObject({ content: [{ text: "two" }] });
    expect(server.requests("/folder").map(({ scenario, turn, attempt }) => [scenario, turn, attempt])).toEqual([
      ["two", 0, 0],
      ["two", 1, 0],
    ]);
  });

  test("are the same for a retry, with the next attempt, and each run counts its own", async () => {
    const statuses = async (run: string): Promise<unknown[]> => {
      const answers = [];
      for (const stream of [true, false, true, true]) answers.push(await ask("later", { run, stream }));
      return answers.map(({ status, headers }) => [status, headers.get("retry-after")]);
    };
    const expected = [
      [529, null],
      [429, "3"],
      [200, null],
      [200, null],
    ];
    expect(await statuses("one")).toEqual(expected);
    expect(await statuses("other")).toEqual(expected);
    expect(server.requests("one").map(({ turn, attempt }) => [turn, attempt])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
  });

  test("may follow from the results of tools in the request", async () => {
    const call = (id: string) => ({ type: "tool_use", id, name: "read_file", input: {} });
    const result = (id: string, content: string) => ({ type: "tool_result", tool_use_id: id, content });
    const tell = async (first: string, second: string): Promise<unknown> => {
      const results = [result("t1", first), result("t2", second)];
      const said = { role: "assistant", content: [call("t1"), call("t2")] };
      const messages = [user, said, { role: "user", content: results }];
      return (await ask("parallel-tools", { run: "p", stream: false, messages })).json();
    };
    const texts = [await tell("one", "two"), await tell("two", "one")];
    expect(texts).toMatchObject([
      { content: [{ text: "read_file: one\nread_file: two" }] },
      { content: [{ text: "read_file: two\nread_file: one" }] },
    ]);
  });

  test("of a sub-agent are its own", async () => {
    const sub = [{ role: "user", content: [{ type: "text", text: "SUB work" }] }];
    const statuses = [await ask("sub", { run: "s", messages: sub }), await ask("sub", { run: "s" })];
    expect(statuses.map(({ status }) => status)).toEqual([529, 200]);
    const again = await ask("sub", { run: "s", messages: sub, stream: false });
    expect(await again.json()).toMatchObject({ content: [{ text: "sub" }] });
  });
});

describe("faults", () => {
  test.each([
    ["unauthorised", 401, "authentication_error"],
    ["rate-limited", 429, "rate_limit_error"],
    ["overloaded", 529, "overloaded_error"],
    ["payment-required", 402, "billing_error"],
    ["context-window", 400, "invalid_request_error"],
  ] as const)("%s is status %i in the provider's own form", async (scenario, status, type) => {
    const response = await ask(scenario, { run: "f" });
    const body = await response.json();
    expect([response.status, body]).toEqual([
      status,
      {
        type: "error",
        error: { type, message: expect.any(String) as string },
        request_id: response.headers.get("request-id"),
      },
    ]);
  });

  test("a cut stream ends in good order before its last event", async () => {
    const { text, torn } = await readTorn("cut", true);
    expect([readSse(text).length, torn, text.includes("message_stop")]).toEqual([4, false, false]);
  });

  test("a reset stream is torn after what was said", async () => {
    const { text, torn } = await readTorn("reset", true);
    expect([readSse(text).length, torn]).toEqual([4, true]);
  });

  test("a stream can hold an event that is no JSON", async () => {
    const events = readSse((await readTorn("bad-json", true)).text);
    expect(() => JSON.parse(events.at(-1)?.data ?? "") as unknown).toThrow(SyntaxError);
  });

  test("a stream can end with the provider's error", async () => {
    expect((await typesOf(await ask("error-event", { run: "f" }))).at(-1)).toBe("error");
  });

  test.each(["cut", "reset", "bad-json", "bad-body", "html"])(
    "%s is no JSON for a client without a stream",
    async (scenario) => {
      const body = await readTorn(scenario, false);
      expect(() => JSON.parse(body.text) as unknown).toThrow(SyntaxError);
    },
  );

  test("a page of a proxy has status 200", async () => {
    const response = await ask("html", { run: "f" });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html"]);
  });

  test("a connection can be torn before anything was said", async () => {
    await expect(ask("reset-before", { run: "f" })).rejects.toThrow("fetch failed");
  });

  test("a server can hang before its headers, behind them, and inside a stream, while it serves others", async () => {
    const leaving = new AbortController();
    const silent = ask("hang-before-headers", { run: "h", signal: leaving.signal });
    const begun = await ask("hang-after-headers", { run: "h", signal: leaving.signal });
    const inside = await ask("hang-inside", { run: "h", signal: leaving.signal });
    const reader = (inside.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    while (readSse(text).length < 3) text += Buffer.from((await reader.read()).value ?? []).toString();
    const others = ask("hello", { run: "other", stream: false }).then(({ status }) => status);
    const waiting = [silent, begun.text(), reader.read()];
    expect(await Promise.race([...waiting, others])).toBe(200);
    leaving.abort();
    const ends = await Promise.allSettled(waiting);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });
});

describe("addresses", () => {
  test.each(["/", "/s/nowhere/eA/v1/messages", "/s/hello/eA/v1/nothing", "/v1/messages"])(
    "%s is answered with 404",
    async (path) => {
      const { origin } = new URL(server.baseUrl("hello", "x"));
      expect((await fetch(origin + path, { method: "POST", body: "{}" })).status).toBe(404);
    },
  );

  test("a server listens on the loopback, at a port of its own", async () => {
    const second = await startModelServer({ scenarios: OWN });
    const [one, other] = [server, second].map((each) => new URL(each.baseUrl("hello", "x")));
    await second.close();
    expect([one?.hostname, other?.hostname, one?.port === other?.port]).toEqual(["127.0.0.1", "127.0.0.1", false]);
  });
});

test("what the model is given of a request can be tampered with, and what was sent is still seen", async () => {
  const messages = [
    user,
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "bash", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "seven" }] },
  ];
  const crooked = await startModelServer({
    scenarios: { echo },
    tamper: (conversation) => ({ ...conversation, output: conversation.output.replace("seven", "eight") }),
  });
  onTestFinished(() => crooked.close());
  const body = { model: "a-model", messages, stream: false };
  const asked = { method: "POST", body: JSON.stringify(body) };
  const answered = await fetch(`${crooked.baseUrl("echo", "here")}/v1/messages`, asked);
  expect(await answered.json()).toMatchObject({ content: [{ type: "text", text: "eight" }] });
  expect(crooked.requests("here")).toMatchObject([{ turn: 1, body }]);
});
