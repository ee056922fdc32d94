import { afterAll, describe, expect, test } from "vitest";
import type { ModelScenario } from "../../../../../../test/model-server/model-scenario.ts";
import { broken, FAULTS, say } from "../../../../../../test/model-server/model-scenario.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { describeProvider } from "../provider.conformance.ts";
import { ask, assistant, call, failureOf, result, user } from "../testing/ask.ts";
import { scenarioOf, startSceneServer } from "../testing/server-scene.ts";

const KEY = "sk-ant-test-0123456789";
const server = await startSceneServer();
afterAll(() => server.close());

function open(scenario: ModelScenario, idleMs?: number) {
  const { baseUrl, run } = server.play(scenario);
  const idle = idleMs === undefined ? {} : { idleMs };
  return { provider: createAnthropicProvider({ baseUrl, apiKey: KEY, ...idle }), run };
}

describeProvider("the Messages API", async (turns) => ({
  provider: open(scenarioOf(turns)).provider,
  model: "claude-x",
}));

describe("a request", () => {
  test("carries its key as the API documents it", async () => {
    const { provider, run } = open({ turns: [say("hello")] });
    await ask(provider);
    const [seen] = server.requests(run);
    expect(seen?.headers).toMatchObject({ "x-api-key": KEY });
    expect(seen?.headers.authorization).toBeUndefined();
    expect(seen?.stream).toBe(true);
  });

  test("carries a token as a bearer", async () => {
    const { baseUrl, run } = server.play({ turns: [say("hello")] });
    await ask(createAnthropicProvider({ baseUrl, authToken: "a-token" }));
    expect(server.requests(run)[0]?.headers).toMatchObject({ authorization: "Bearer a-token" });
    expect(server.requests(run)[0]?.headers["x-api-key"]).toBeUndefined();
  });
});

describe("an answer", () => {
  test("brings the signature of a thought, which is sent back", async () => {
    const thinking = { kind: "thinking", text: "Hm." } as const;
    const { provider, run } = open({ turns: [{ kind: "answer", blocks: [thinking] }, say("done")] });
    const { answer } = await ask(provider);
    expect(answer.blocks).toEqual([{ type: "thinking", thinking: "Hm.", signature: "c2lnbmVk" }]);
    await ask(provider, { messages: [user("hello"), assistant(...answer.blocks, call("t1")), result("t1", "x")] });
    expect(server.requests(run)[1]?.body).toMatchObject({
      messages: [{}, { content: [{ type: "thinking", thinking: "Hm.", signature: "c2lnbmVk" }, {}] }, {}],
    });
  });

  test.each(["cut", "reset", "bad-json"] as const)("that is broken (%s) is no answer", async (how) => {
    const { provider } = open({ turns: [broken(say("Hello there."), how, 4)] });
    const { code, retryable } = await failureOf(provider);
    expect([code, retryable]).toEqual(["RETRIES_EXHAUSTED", true]);
  });

  test("whose connection is torn behind its end is whole", async () => {
    const { provider } = open({ turns: [broken(say("Hello there."), "reset", 7)] });
    expect((await ask(provider)).answer.blocks).toEqual([{ type: "text", text: "Hello there." }]);
  });

  test("that stalls is given up", async () => {
    const { provider } = open({ turns: [broken(say("Hello there."), "hang", 4)] }, 50);
    expect(await failureOf(provider)).toMatchObject({ code: "RETRIES_EXHAUSTED", retryable: true });
  });

  test("that never begins is given up", async () => {
    const { provider } = open({ turns: [{ kind: "hang", at: "before-headers" }] }, 50);
    expect(await failureOf(provider)).toMatchObject({ code: "RETRIES_EXHAUSTED", retryable: true });
  });

  test("that is a page of a proxy is none", async () => {
    expect(await failureOf(open({ turns: [{ kind: "html" }] }).provider)).toMatchObject({ code: "RETRIES_EXHAUSTED" });
  });

  test("that ends with the provider's own error has the row of that error", async () => {
    const { provider } = open({ turns: [broken(say("Hello there."), "error-event", 4)] });
    expect(await failureOf(provider)).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      options: { details: { status: 529 } },
    });
  });
});

describe("a refusal", () => {
  test.each([
    ["unauthorised", FAULTS.unauthorised, "TOKEN_INVALID", false],
    ["forbidden", FAULTS.forbidden, "TOKEN_INVALID", false],
    ["without credit", FAULTS.paymentRequired, "PAYMENT_REQUIRED", false],
    ["for its length", FAULTS.contextWindow, "CONTEXT_WINDOW_EXCEEDED", false],
    ["for its size", FAULTS.tooLarge, "REQUEST_TOO_LARGE", false],
    ["for its form", FAULTS.badRequest, "UPSTREAM_REJECTED", false],
    ["for its model", FAULTS.noSuchModel, "UPSTREAM_REJECTED", false],
    ["for its rate", FAULTS.rateLimited, "RATE_LIMIT_EXCEEDED", true],
    ["by a timeout", FAULTS.timedOut, "UPSTREAM_UNAVAILABLE", true],
    ["by a conflict", FAULTS.conflict, "UPSTREAM_UNAVAILABLE", true],
    ["by a failing server", FAULTS.serverError, "UPSTREAM_UNAVAILABLE", true],
    ["by an overloaded server", FAULTS.overloaded, "UPSTREAM_UNAVAILABLE", true],
  ] as const)(
    "%s has its row, its status and the provider's id of the request",
    async (_name, fault, code, retryable) => {
      const failure = await failureOf(open({ turns: [fault] }).provider);
      expect([failure.code, failure.retryable]).toEqual([code, retryable]);
      expect(failure.options.details).toEqual({
        provider: "anthropic",
        status: fault.status,
        request_id: expect.stringMatching(/^req_\d+$/) as string,
      });
    },
  );

  test("says how long to wait", async () => {
    const failure = await failureOf(open({ turns: [FAULTS.rateLimitedFor(7)] }).provider);
    expect(failure.options.retryAfterMs).toBe(7000);
  });

  test("of a model that is not there names it, and the way on", async () => {
    const failure = await failureOf(open({ turns: [FAULTS.noSuchModel] }).provider);
    expect(failure.message).toMatch(/^anthropic knows no model '[^']+' \(404\): model: nope$/);
    expect(failure.hint).toMatch(/--model \S/);
  });

  test("never repeats the key", async () => {
    const fault = { ...FAULTS.unauthorised, message: `the key ${KEY} is not known` };
    const failure = await failureOf(open({ turns: [fault] }).provider);
    expect(failure.message).toMatch(/the key .+ is not known/);
    expect(failure.message).not.toContain(KEY);
  });

  test("of a provider that is not there says so", async () => {
    const { baseUrl } = server.play({ turns: [] });
    const gone = await startSceneServer();
    const { port } = new URL(gone.play({ turns: [] }).baseUrl);
    await gone.close();
    const url = new URL(baseUrl);
    url.port = port;
    const failure = await failureOf(createAnthropicProvider({ baseUrl: url.href, apiKey: KEY }));
    expect([failure.code, failure.retryable]).toEqual(["UPSTREAM_UNREACHABLE", true]);
    expect(failure.message).toContain("ECONNREFUSED");
  });
});
