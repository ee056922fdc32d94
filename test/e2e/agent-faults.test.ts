import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ModelScenario } from "../model-server/model-scenario.ts";
import { broken, FAULTS, say, use } from "../model-server/model-scenario.ts";
import { SCENARIOS } from "../model-server/scenarios.ts";
import type { Api } from "./agent-scene.ts";
import { APIS, KEY, openAgentScene, results, rolesIn, sessionOf } from "./agent-scene.ts";
import { responseJson } from "./run-claw.ts";

const HELLO = "Hello from the scripted model. The answer is 42.";

describe.each(APIS)("over %s", (api: Api) => {
  test("an answer is the message of one request, with every field of the document", async () => {
    const scene = await openAgentScene(SCENARIOS.text, { api });
    const body = await scene.ask("What is the answer?");
    expect(body).toMatchObject({
      message: HELLO,
      iterations: 1,
      auto_compaction: null,
      tool_uses: [],
      tool_results: [],
      prompt_cache_events: [],
      estimated_cost: expect.stringMatching(/^\$\d+\.\d{4}$/) as string,
      stop_reason: "completed",
      cancel_observed: false,
      permission_denials: [],
      command: "prompt",
    });
    expect(rolesIn(sessionOf(body))).toEqual(["user", "assistant"]);
    expect(scene.requests()).toHaveLength(1);
  });

  test.each([
    ["unauthorised", SCENARIOS.unauthorised, "TOKEN_INVALID", 1],
    ["payment required", SCENARIOS["payment-required"], "PAYMENT_REQUIRED", 1],
    ["rate limited for ever", SCENARIOS["rate-limited"], "RATE_LIMIT_EXCEEDED", 2],
    ["overloaded for ever", SCENARIOS.overloaded, "UPSTREAM_UNAVAILABLE", 2],
    ["cut for ever", SCENARIOS.cut, "RETRIES_EXHAUSTED", 2],
    ["malformed events for ever", SCENARIOS["bad-json"], "RETRIES_EXHAUSTED", 2],
    ["a context window that nothing fits into", SCENARIOS["context-window"], "CONTEXT_WINDOW_EXCEEDED", 1],
    ["a request that is too large", { turns: [FAULTS.tooLarge] }, "REQUEST_TOO_LARGE", 1],
    ["a model that is not there", { turns: [FAULTS.noSuchModel] }, "UPSTREAM_REJECTED", 1],
  ] satisfies [string, ModelScenario, string, number][])("%s", async (_name, scenario, code, requests) => {
    const scene = await openAgentScene(scenario, { api });
    const body = await scene.ask("hello");
    expect(body.error).toMatchObject({ code, operation: "ask_model", hint: expect.stringMatching(/./) as string });
    expect(scene.requests()).toHaveLength(requests);
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  test("a stall is noticed, and the request sent again", async () => {
    const turns = [[broken(say("half of"), "hang", 3), say("whole")]] as const;
    const scene = await openAgentScene({ turns }, { api, env: { CLAW_API_IDLE_SECONDS: "0.5" } });
    expect(await scene.ask("hello")).toMatchObject({ message: "whole", iterations: 1 });
    expect(scene.requests()).toHaveLength(2);
  });

  test.each([
    ["an error of the server", SCENARIOS["server-error-once"], "Recovered after an error."],
    ["a limit that names its time", SCENARIOS["rate-limited-once"], "Recovered after a pause."],
    ["a stream that was cut", SCENARIOS["cut-once"], "Recovered after a cut."],
  ] satisfies [string, ModelScenario, string][])("%s is survived", async (_name, scenario, message) => {
    const scene = await openAgentScene(scenario, { api });
    expect(await scene.ask("hello")).toMatchObject({ message, iterations: 1, stop_reason: "completed" });
    expect(scene.requests()).toHaveLength(2);
  });

  test("input that is no JSON and tools that are not there are told to the model", async () => {
    const bad = await openAgentScene(SCENARIOS["bad-tool-json"], { api });
    const first = await bad.ask("go");
    expect(results(first)).toMatchObject([{ is_error: true }]);
    expect(first["tool_uses"]).toMatchObject([{ input: '{"command": "echo', input_json: null }]);
    const unknown = await openAgentScene(SCENARIOS["unknown-tool"], { api });
    expect(results(await unknown.ask("go"))).toMatchObject([
      { is_error: true, output: expect.stringContaining("no_such_tool") as string },
    ]);
  });

  test("parallel calls are answered together and in order", async () => {
    const scene = await openAgentScene(SCENARIOS["parallel-tools"], { api });
    writeFileSync(join(scene.workspace.cwd, "one.txt"), "first file\n");
    writeFileSync(join(scene.workspace.cwd, "two.txt"), "second file\n");
    const body = await scene.ask("read both");
    expect(results(body).map(({ output }) => /first|second/.exec(output)?.[0])).toEqual(["first", "second"]);
    expect(body).toMatchObject({ iterations: 2 });
    expect(rolesIn(sessionOf(body))).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  test("thoughts are kept in the session and are no part of the message", async () => {
    const scene = await openAgentScene(SCENARIOS.thinking, { api });
    const body = await scene.ask("hello");
    expect(body["message"]).toBe(HELLO);
    expect(JSON.stringify(sessionOf(body))).toContain("Six times seven.");
  });

  test("a cache that was lost is reported", async () => {
    const scene = await openAgentScene(SCENARIOS["cache-drop"], { api });
    writeFileSync(join(scene.workspace.cwd, "one.txt"), "1\n");
    writeFileSync(join(scene.workspace.cwd, "two.txt"), "2\n");
    const body = await scene.ask("read");
    expect(body["prompt_cache_events"]).toEqual([
      {
        unexpected: true,
        reason: "the provider dropped the cache although nothing changed",
        previous_cache_read_input_tokens: 9000,
        current_cache_read_input_tokens: 0,
        token_drop: 9000,
      },
    ]);
  });

  test("a conversation that does not fit is compacted and sent again", async () => {
    const turns = [
      ...["a", "b", "c"].map((name) => use("read_file", { path: `${name}.txt` })),
      [FAULTS.contextWindow, say("It fits now.")],
      say("It fits now."),
    ];
    const scene = await openAgentScene({ turns }, { api });
    for (const name of ["a", "b", "c"]) writeFileSync(join(scene.workspace.cwd, `${name}.txt`), name);
    const body = await scene.ask("read them");
    expect(body).toMatchObject({
      message: "It fits now.",
      auto_compaction: {
        notice: expect.stringMatching(/^Auto-compacted: removed \d+ messages to free context\. /) as string,
      },
    });
    expect(sessionOf(body).map(({ type }) => type)).toContain("compaction");
  });
});

test("an unreachable provider says so", async () => {
  const scene = await openAgentScene(SCENARIOS.text, { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } });
  expect((await scene.ask("hello")).error).toMatchObject({ code: "UPSTREAM_UNREACHABLE", retryable: true });
});

test("a rate limit is exit 11 with its time in the response envelope", async () => {
  const scene = await openAgentScene({ turns: [FAULTS.rateLimitedFor(3600)] });
  const { exitCode, error } = await responseJson(scene.workspace, ["-p", "hello"], { env: scene.env });
  expect(exitCode).toBe(11);
  expect(error).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retry_after: 3600 });
  expect(scene.requests()).toHaveLength(1);
});
