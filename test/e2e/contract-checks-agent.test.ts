import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "claw-contract";
import { ENVELOPES, TURN_STOP_REASONS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { jsonLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import { FAULTS, say, use } from "../model-server/model-scenario.ts";
import { SCENARIOS } from "../model-server/scenarios.ts";
import { openAgentScene, results, rolesIn, sessionOf } from "./agent-scene.ts";
import type { Body, RunOptions } from "./run-claw.ts";
import { clawJson, flatJson, responseJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** What a call answers beneath its envelope, and the code of its failure. */
async function ask(
  envelope: Envelope,
  workspace: Workspace,
  argv: readonly string[],
  options?: RunOptions,
): Promise<{ body: Body; kind: unknown; failed: boolean }> {
  if (envelope === "response") {
    const { data, error, meta } = await responseJson(workspace, argv, options);
    return { body: (data ?? meta["partial"] ?? {}) as Body, kind: error?.code, failed: error !== null };
  }
  const body = await (envelope === "claw" ? clawJson : flatJson)(workspace, argv, options);
  return { body, kind: body["kind"], failed: body["type"] === "error" };
}

const SCRIPTED = ["--model", "scripted"];

interface Turn {
  readonly prompt: string;
  readonly stop_reason: string;
  readonly cancel_observed: boolean;
}

const turnsOf = (body: Body): Turn[] => body["turns"] as Turn[];

describe.each(ENVELOPES)("in the %s envelope", (envelope) => {
  test("13, 15, 17: what is not there is not found, by its own token", async () => {
    const workspace = createWorkspace();
    const tokens =
      envelope === "response" ? ["COMMAND_NOT_FOUND", "TOOL_NOT_FOUND"] : ["command_not_found", "tool_not_found"];
    expect(await ask(envelope, workspace, ["show-command", "nope"])).toMatchObject({ kind: tokens[0], failed: true });
    expect(await ask(envelope, workspace, ["show-tool", "nope"])).toMatchObject({ kind: tokens[1], failed: true });
    const executed = await ask(envelope, workspace, ["exec-command", "nope", "x"]);
    expect(executed).toMatchObject({ kind: tokens[0], body: { handled: false, prompt: "x" } });
  });

  test("19, 21: a route is bounded, sorted, complete in its entries, and always the same", async () => {
    const workspace = createWorkspace();
    const argv = ["route", "read a file and add a folder", "--limit", "10"];
    const { body } = await ask(envelope, workspace, argv);
    const matches = body["matches"] as { kind: string; name: string; score: number; source_hint: string }[];
    expect(body).toMatchObject({ limit: 10, match_count: matches.length });
    expect(matches.length).toBeGreaterThan(0);
    expect(matches.map(({ score }) => score)).toEqual(matches.map(({ score }) => score).toSorted((a, b) => b - a));
    expect((await ask(envelope, workspace, argv)).body["matches"]).toEqual(matches);
  });

  test("23: bootstrap stores its prompt once", async () => {
    const workspace = createWorkspace();
    const { body } = await ask(envelope, workspace, ["bootstrap", "hello-once", ...SCRIPTED]);
    const stored = readFileSync(join(workspace.cwd, String(body["persisted_session_path"])), "utf8");
    const prompts = stored.split("\n").filter((line) => line.includes('"role":"user"') && line.includes("hello-once"));
    expect(prompts).toHaveLength(1);
  });

  test("25, 27, 29: a loop runs its turns with the very continuation, and none when it may not", async () => {
    const workspace = createWorkspace();
    const loop = ["turn-loop", "hi", "--max-turns", "3", "--continuation-prompt", "go", ...SCRIPTED];
    const turns = turnsOf((await ask(envelope, workspace, loop)).body);
    expect(turns.map(({ prompt }) => prompt)).toEqual(["hi", "go", "go"]);
    expect(turns.every((turn) => (TURN_STOP_REASONS as readonly string[]).includes(turn.stop_reason))).toBe(true);
    expect(turns.some(({ cancel_observed }) => cancel_observed)).toBe(false);
    const none = await ask(envelope, workspace, ["turn-loop", "hi", "--max-turns", "0", ...SCRIPTED]);
    expect(none).toMatchObject({ failed: false, body: { turns: [], final_stop_reason: null } });
  });

  test("31, 33: the graphs count what they list", async () => {
    const workspace = createWorkspace();
    const { body: graph } = await ask(envelope, workspace, ["command-graph"]);
    const lists = ["builtins", "plugin_like", "skill_like"].map((name) => (graph[name] as unknown[]).length);
    expect(lists).toEqual([graph["builtins_count"], graph["plugin_like_count"], graph["skill_like_count"]]);
    expect(graph["total_count"]).toBe(lists.reduce((sum, count) => sum + count, 0));
    const { body: stages } = await ask(envelope, workspace, ["bootstrap-graph"]);
    expect((stages["stages"] as unknown[]).length).toBeGreaterThan(0);
  });

  test("59, 65, 67: a flag is no prompt, and slash commands are for the session", async () => {
    const workspace = createWorkspace();
    const kinds = [
      await ask(envelope, workspace, ["-p", "--model", "sonnet"]),
      await ask(envelope, workspace, ["/boguscommand"]),
      await ask(envelope, workspace, ["/compact"]),
    ].map(({ kind }) => kind);
    expect(kinds.map((kind) => String(kind).toLowerCase())).toEqual([
      "missing_prompt",
      "unknown_slash_command",
      "interactive_only",
    ]);
  });

  test("99, 101, 113: a prompt with a tool has every field of the document, and a session in order", async () => {
    const scene = await openAgentScene({ turns: [use("read_file", { path: "fixture.txt" }), say("It says hello.")] });
    await clawJson(scene.workspace, ["exec-tool", "write_file", '{"path":"fixture.txt","content":"hello\\n"}']);
    const { body } = await ask(envelope, scene.workspace, ["-p", "read it"], { env: scene.env });
    const [called] = body["tool_uses"] as { id: string; input: string }[];
    expect(JSON.parse(called?.input ?? "")).toEqual({ path: "fixture.txt" });
    expect(results(body)).toMatchObject([{ tool_use_id: called?.id, is_error: false }]);
    expect(body).toMatchObject({
      message: "It says hello.",
      model: "claude-opus-4-5",
      iterations: 2,
      auto_compaction: null,
      prompt_cache_events: [],
      usage: {
        input_tokens: expect.any(Number) as number,
        output_tokens: expect.any(Number) as number,
        cache_creation_input_tokens: expect.any(Number) as number,
        cache_read_input_tokens: expect.any(Number) as number,
      },
      estimated_cost: expect.stringMatching(/^\$\d+\.\d{4}$/) as string,
    });
    const records = sessionOf(body);
    expect(records[0]).toMatchObject({ type: "session_meta", version: 1 });
    expect(rolesIn(records)).toEqual(["user", "assistant", "tool", "assistant"]);
  });
});

test("103: a file is written just as the model says", async () => {
  const text = 'first\n"second"\tthird\n';
  const scene = await openAgentScene({
    turns: [use("write_file", { path: "generated/out.txt", content: text }), say("ok")],
  });
  expect(results(await scene.ask("write"))).toMatchObject([{ is_error: false }]);
  expect(readFileSync(join(scene.workspace.cwd, "generated/out.txt"), "utf8")).toBe(text);
});

test("105: what needs a person, where none is, is denied at once and the answer stays one object", async () => {
  const scene = await openAgentScene({
    turns: [use("web_fetch", { url: "http://127.0.0.1:9/", prompt: "x" }), say("ok")],
  });
  const body = await scene.ask("fetch");
  expect(body).toMatchObject({ exit_code: 0, message: "ok", permission_denials: [{ tool_name: "web_fetch" }] });
  expect(results(body)).toMatchObject([{ is_error: true }]);
});

test("107: a rate limit is waited for as long as it says, and then the request is sent again", async () => {
  const scene = await openAgentScene({ turns: [[FAULTS.rateLimitedFor(1), say("thanks for waiting")]] });
  const { stdout } = await scene.run(["-p", "hi", "--output-format", "stream-json"]);
  const lines = jsonLines(stdout);
  expect(lines.filter(({ subtype }) => subtype === "api_retry")).toMatchObject([
    { attempt: 1, retry_delay_ms: 1000, error_status: 429 },
  ]);
  expect(lines.at(-1)).toMatchObject({ type: "result", message: "thanks for waiting" });
  expect(scene.requests()).toHaveLength(2);
});

test("109: one that never ends is told with its time", async () => {
  const scene = await openAgentScene(SCENARIOS["rate-limited"]);
  expect((await scene.ask("hi")).error).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retryable: true });
});
