import { afterAll, describe, expect, test } from "vitest";
import type { ModelScenario } from "../../../../../../test/model-server/model-scenario.ts";
import { broken, FAULTS, say, use } from "../../../../../../test/model-server/model-scenario.ts";
import { createOpenAiProvider } from "./openai.ts";
import { describeProvider } from "../provider.conformance.ts";
import { ask, assistant, call, failureOf, result, user } from "../testing/ask.ts";
import { scenarioOf, startSceneServer } from "../testing/server-scene.ts";

const KEY = "sk-test-0123456789";
const server = await startSceneServer();
afterAll(() => server.close());

function open(scenario: ModelScenario, idleMs?: number) {
  const { baseUrl, run } = server.play(scenario);
  const idle = idleMs === undefined ? {} : { idleMs };
  return { provider: createOpenAiProvider({ baseUrl: `${baseUrl}/v1`, apiKey: KEY, ...idle }), run };
}

describeProvider("Chat Completions", async (turns) => ({ provider: open(scenarioOf(turns)).provider, model: "gpt-x" }));

describe("a request", () => {
  test("carries its key, and asks for a stream that says what it used", async () => {
    const { provider, run } = open({ turns: [say("hello")] });
    await ask(provider);
    const [seen] = server.requests(run);
    expect(seen?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(seen?.body).toMatchObject({ stream: true, stream_options: { include_usage: true }, max_tokens: 1000 });
  });

  test("does without a key where there is none", async () => {
    const { baseUrl, run } = server.play({ turns: [say("hello")] });
    await ask(createOpenAiProvider({ baseUrl: `${baseUrl}/v1` }));
    expect(server.requests(run)[0]?.headers.authorization).toBeUndefined();
  });

  test("sends thoughts back to the server that had them", async () => {
    const thought = { kind: "thinking", text: "Hm." } as const;
    const tool = { kind: "tool", name: "read_file", input: {} } as const;
    const { provider, run } = open({ turns: [{ kind: "answer", blocks: [thought, tool] }, say("done")] });
    const { answer } = await ask(provider);
    const id = answer.blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])).join();
    await ask(provider, { messages: [user("hello"), assistant(...answer.blocks), result(id, "x")] });
    expect(server.requests(run)[1]?.body).toMatchObject({
      messages: [{ role: "system" }, { role: "user" }, { reasoning_content: "Hm." }, { tool_call_id: id }],
    });
  });
});

describe("an answer", () => {
  test("of a server that counts nothing has used nothing", async () => {
    const { answer } = await ask(open({ turns: [{ ...say("hello"), counts: false }] }).provider);
    expect([answer.blocks.length, answer.usage]).toEqual([
      1,
      { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    ]);
  });

  test("that is refused says so", async () => {
    const { answer } = await ask(open({ turns: [{ ...say("No."), stop: "refusal" }] }).provider);
    expect(answer.stopReason).toBe("refusal");
  });

  test.each(["cut", "reset", "bad-json"] as const)("that is broken (%s) is no answer", async (how) => {
    const { code, retryable } = await failureOf(open({ turns: [broken(say("Hello there."), how, 2)] }).provider);
    expect([code, retryable]).toEqual(["RETRIES_EXHAUSTED", true]);
  });

  test("whose connection is torn behind its end is whole", async () => {
    const { provider } = open({ turns: [broken(use("read_file", {}), "reset", 5)] });
    expect((await ask(provider)).answer.blocks).toMatchObject([{ type: "tool_use", name: "read_file" }]);
  });

  test("that stalls is given up", async () => {
    const { provider } = open({ turns: [broken(say("Hello there."), "hang", 2)] }, 50);
    expect(await failureOf(provider)).toMatchObject({ code: "RETRIES_EXHAUSTED", retryable: true });
  });

  test("that ends with the provider's own error has the row of that error", async () => {
    const { provider } = open({ turns: [broken(say("Hello there."), "error-event", 2)] });
    expect(await failureOf(provider)).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      options: { details: { status: 500 } },
    });
  });
});

describe("a refusal", () => {
  test.each([
    ["unauthorised", FAULTS.unauthorised, "TOKEN_INVALID", false],
    ["for a token that has expired", FAULTS.expired, "TOKEN_EXPIRED", false],
    ["without credit", FAULTS.paymentRequired, "PAYMENT_REQUIRED", false],
    ["for its quota", FAULTS.outOfQuota, "PAYMENT_REQUIRED", false],
    ["for its length", FAULTS.contextWindow, "CONTEXT_WINDOW_EXCEEDED", false],
    ["for its length, by its code alone", { ...FAULTS.contextWindow, message: "no" }, "CONTEXT_WINDOW_EXCEEDED", false],
    ["for its size", FAULTS.tooLarge, "REQUEST_TOO_LARGE", false],
    ["for its form", FAULTS.badRequest, "UPSTREAM_REJECTED", false],
    ["for its rate", FAULTS.rateLimited, "RATE_LIMIT_EXCEEDED", true],
    ["by a failing server", FAULTS.serverError, "UPSTREAM_UNAVAILABLE", true],
    ["by an overloaded server", FAULTS.overloaded, "UPSTREAM_UNAVAILABLE", true],
  ] as const)(
    "%s has its row, its status and the provider's id of the request",
    async (_name, fault, code, retryable) => {
      const failure = await failureOf(open({ turns: [fault] }).provider);
      expect([failure.code, failure.retryable]).toEqual([code, retryable]);
      expect(failure.options.details).toEqual({
        provider: "openai",
        status: fault.status,
        request_id: expect.stringMatching(/^req_\d+$/) as string,
      });
    },
  );

  test("of a model that is not there names it, and the way on", async () => {
    const failure = await failureOf(open({ turns: [FAULTS.noSuchModel] }).provider);
    expect(failure.message).toMatch(/^openai knows no model '[^']+' \(404\): model: nope$/);
    expect(failure.hint).toMatch(/--model \S/);
  });

  test("never repeats the key", async () => {
    const fault = { ...FAULTS.unauthorised, message: `Incorrect API key provided: ${KEY}.` };
    const failure = await failureOf(open({ turns: [fault] }).provider);
    expect(failure.message).toContain("Incorrect API key provided");
    expect(failure.message).not.toContain(KEY);
  });
});

test("a conversation of another provider can go on here", async () => {
  const { provider, run } = open({ turns: [say("one"), say("two")] });
  const thought = { type: "thinking", thinking: "Hm.", signature: "theirs" } as const;
  const messages = [
    user("hello"),
    assistant(thought, call("toolu_1", "read_file", '{"path": ')),
    result("toolu_1", "x"),
  ];
  await ask(provider, { messages });
  expect(server.requests(run)[0]?.body["messages"]).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "hello" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "toolu_1", type: "function", function: { name: "read_file", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "toolu_1", content: "x" },
  ]);
});
