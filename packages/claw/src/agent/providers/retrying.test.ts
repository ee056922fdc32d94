import type { ErrorCode } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import { afterAll, describe, expect, test } from "vitest";
import type { Turn } from "../../../../../test/model-server/model-scenario.ts";
import { broken, FAULTS, say } from "../../../../../test/model-server/model-scenario.ts";
import { createAnthropicProvider } from "./anthropic/anthropic.ts";
import { describeProvider } from "./provider.conformance.ts";
import type { ModelEvent, Provider } from "./provider.ts";
import type { RetryOptions } from "./retrying.ts";
import { withRetries } from "./retrying.ts";
import { ask, failureOf, request } from "./testing/ask.ts";
import { scenarioOf, startSceneServer } from "./testing/server-scene.ts";

const server = await startSceneServer();
afterAll(() => server.close());

/** A provider whose model says this turn; what it waited for is kept. */
function open(turn: Turn, options: RetryOptions = {}) {
  const { baseUrl, run } = server.play({ turns: [turn] });
  const waited: number[] = [];
  const wait = async (ms: number): Promise<void> => void waited.push(ms);
  const plain = createAnthropicProvider({ baseUrl, apiKey: "sk-test-0123456789" });
  const provider = withRetries(plain, { random: () => 1, wait, maxAttempts: 3, ...options });
  return { provider, waited, asked: () => server.requests(run).length };
}

const hello = say("Hello there, at last.");

describe("a failure that may pass", () => {
  test.each([
    ["a timeout", FAULTS.timedOut],
    ["a conflict", FAULTS.conflict],
    ["a rate limit", FAULTS.rateLimited],
    ["a failing server", FAULTS.serverError],
    ["an overloaded server", FAULTS.overloaded],
    ["a cut stream", broken(hello, "cut", 4)],
    ["a torn stream", broken(hello, "reset", 4)],
    ["an event that is no JSON", broken(hello, "bad-json", 4)],
    ["a provider that gave up", broken(hello, "error-event", 4)],
    ["a connection torn at once", { kind: "reset" } as const],
  ])("%s is tried again", async (_name, fault) => {
    const { provider, asked } = open([fault, hello]);
    const { answer } = await ask(provider);
    expect([answer.blocks, asked()]).toEqual([[{ type: "text", text: "Hello there, at last." }], 2]);
  });

  test("voids what was said before it", async () => {
    const { provider } = open([broken(hello, "cut", 4), hello]);
    const { events } = await ask(provider);
    const retry = events.findIndex(({ kind }) => kind === "retry");
    expect(events.slice(0, retry)).toEqual([{ kind: "text", text: "Hello there," }]);
    expect(events[retry]).toEqual({
      kind: "retry",
      attempt: 1,
      maxAttempts: 3,
      delayMs: LIMITS.modelRetryFirstMs,
      status: null,
      reason: expect.stringContaining("broke off") as string,
    });
    expect(
      events
        .slice(retry + 1)
        .map((event) => (event.kind === "text" ? event.text : ""))
        .join(""),
    ).toBe("Hello there, at last.");
  });

  test("is waited out for longer each time, half of it by chance, up to a limit", async () => {
    const full = open(FAULTS.overloaded, { maxAttempts: 5, firstDelayMs: 100, maxDelayMs: 400 });
    const half = open(FAULTS.overloaded, { maxAttempts: 5, firstDelayMs: 100, maxDelayMs: 400, random: () => 0 });
    await failureOf(full.provider);
    await failureOf(half.provider);
    expect([full.waited, half.waited]).toEqual([
      [100, 200, 400, 400],
      [50, 100, 200, 200],
    ]);
  });

  test("is waited out for as long as the provider asks", async () => {
    const { provider, waited } = open([FAULTS.rateLimitedFor(2), hello]);
    await ask(provider);
    expect(waited).toEqual([2000]);
  });

  test("is not waited out when the provider asks for too long", async () => {
    const { provider, waited, asked } = open([FAULTS.rateLimitedFor(3600), hello]);
    const failure = await failureOf(provider);
    expect([failure.code, failure.options.retryAfterMs, failure.retryable]).toEqual([
      "RATE_LIMIT_EXCEEDED",
      3_600_000,
      true,
    ]);
    expect([waited, asked()]).toEqual([[], 1]);
  });

  test.each([
    ["RATE_LIMIT_EXCEEDED", FAULTS.rateLimitedFor(1)],
    ["UPSTREAM_UNAVAILABLE", FAULTS.serverError],
    ["UPSTREAM_UNREACHABLE", { kind: "reset" }],
    ["RETRIES_EXHAUSTED", broken(hello, "cut", 4)],
  ] as const)("that does not pass ends as %s", async (code, fault) => {
    const { provider, asked } = open(fault);
    const failure = await failureOf(provider);
    expect([failure.code, failure.options.details?.["attempts"], asked()]).toEqual([code, 3, 3]);
  });
});

test.each([FAULTS.unauthorised, FAULTS.paymentRequired, FAULTS.contextWindow, FAULTS.tooLarge, FAULTS.badRequest])(
  "a refusal is not tried again ($status $type)",
  async (fault) => {
    const { provider, waited, asked } = open([fault, hello]);
    await failureOf(provider);
    expect([waited, asked()]).toEqual([[], 1]);
  },
);

describe("an abort", () => {
  const failing = (code: ErrorCode): Provider => ({
    id: "failing",
    ask: () => Promise.reject(new ClawError(code, "no", { operation: "ask_model", target: "a-model" })),
  });

  test("ends a pause at once", async () => {
    const leaving = new AbortController();
    const reason = new Error("enough");
    const events: ModelEvent[] = [];
    const provider = withRetries(failing("UPSTREAM_UNAVAILABLE"), { firstDelayMs: 10_000_000, maxDelayMs: 10_000_000 });
    const take = (event: ModelEvent): void => {
      events.push(event);
      setImmediate(() => leaving.abort(reason));
    };
    await expect(provider.ask(request(), take, leaving.signal)).rejects.toBe(reason);
    expect(events).toHaveLength(1);
  });

  test("before the first request is no failure of the provider", async () => {
    const reason = new Error("enough");
    const asking = withRetries(failing("UPSTREAM_UNAVAILABLE")).ask(request(), () => {}, AbortSignal.abort(reason));
    await expect(asking).rejects.toBe(reason);
  });
});

describeProvider("a provider that is retried", async (turns) => {
  const { baseUrl } = server.play(scenarioOf(turns));
  const plain = createAnthropicProvider({ baseUrl, apiKey: "sk-test-0123456789" });
  return { provider: withRetries(plain, { wait: async () => {}, maxAttempts: 2 }), model: "claude-x" };
});

test("what is no failure of a provider passes as it is", async () => {
  const bug = new TypeError("a bug");
  const provider = withRetries({ id: "buggy", ask: () => Promise.reject(bug) });
  await expect(ask(provider)).rejects.toBe(bug);
});
