import { readFileSync } from "node:fs";
import type { JsonObject } from "claw-contract";
import { describe, expect, test } from "vitest";
import { createRunReader } from "./create-run-reader.ts";
import { HARNESSES } from "../harness-table.ts";
import { claude, pick, readEvents, server, WELL } from "../testing/read-events.ts";

const piece = (event: object, id = "m1", more: object = {}) => ({
  type: "stream_event",
  event,
  parent_tool_use_id: null,
  api_message_id: id,
  ...more,
});
const begins = (id: string) => piece({ type: "message_start", message: { id } }, id);
const says = (text: string, id = "m1") =>
  piece({ type: "content_block_delta", delta: { type: "text_delta", text } }, id);
const whole = (text: string, id = "m1") => ({
  type: "assistant",
  message: { id, content: [{ type: "text", text }], usage: { input_tokens: 1000, output_tokens: 1 } },
  parent_tool_use_id: null,
});

const CANCELLED = { evidence: { exitCode: null, signal: "SIGTERM", ended: "cancelled" } as const, dropsPieces: true };

describe("a run that was cut", () => {
  test("has in its output what was written of the last message", () => {
    const events = [claude.init(), begins("m1"), says("Hel"), whole("Hello."), begins("m2"), says("And th", "m2")];
    const { result, items } = readEvents("claude-code", events, CANCELLED);
    expect(pick(result, "output", "error", "input_tokens", "usage_partial", "raw_messages_count")).toEqual({
      output: "Hello.\nAnd th",
      error: "cancelled",
      input_tokens: 1000,
      usage_partial: true,
      raw_messages_count: 2,
    });
    const printed = items.flatMap(({ messages }) => messages.map(({ type }) => type));
    expect(printed).toEqual(["system", "assistant", "assistant"]);
  });

  test("counts what the model wrote by the end of each message, once, of sub-agents too", () => {
    const ends = (id: string, tokens: number, agent: string | null = null) =>
      piece({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: tokens } }, id, {
        parent_tool_use_id: agent,
      });
    const events = [claude.init(), begins("m1"), whole("One."), whole("Two."), ends("m1", 20), whole("Three.")];
    const { result } = readEvents("claude-code", [...events, ends("s1", 7, "toolu_1"), begins("m2")], CANCELLED);
    expect(pick(result, "input_tokens", "output_tokens", "usage_partial")).toEqual({
      input_tokens: 1000,
      output_tokens: 27,
      usage_partial: true,
    });
  });

  test.each([
    ["recordings/claude/partial_text.ndjson", 2518, 18],
    ["more/claude/partial_tool.ndjson", 2000, 40],
  ])("counts in %s, cut before its result, as many tokens as the result tells", (file, input_tokens, output_tokens) => {
    const folder = new URL("../../../../../test/fixtures/harness/", import.meta.url);
    const lines = readFileSync(new URL(file, folder), "utf8")
      .split("\n")
      .filter((line) => line !== "");
    const events = lines.map((line) => JSON.parse(line) as JsonObject).filter(({ type }) => type !== "result");
    const { result } = readEvents("claude-code", events, CANCELLED);
    expect(pick(result, "input_tokens", "output_tokens", "usage_partial")).toEqual({
      input_tokens,
      output_tokens,
      usage_partial: true,
    });
  });

  test("has nothing of a message that the agent gave up and asked for again", () => {
    const stop = (more: object) => piece({ type: "message_stop" }, "m1", more);
    const again = [begins("m2"), says("Second", "m2")];
    const named = [claude.init(), begins("m1"), says("First"), stop({ abandoned_blocks: {} }), ...again];
    const silent = [claude.init(), begins("m1"), says("First"), ...again];
    for (const events of [named, silent]) {
      expect(readEvents("claude-code", events, CANCELLED).result.output).toBe("Second");
    }
  });

  test("has the text of a message whose whole was never told", () => {
    const events = [claude.init(), begins("m1"), says("Lost and "), says("found."), piece({ type: "message_stop" })];
    const { result } = readEvents("claude-code", [...events, claude.result()], { dropsPieces: true });
    expect(pick(result, "output", "succeeded")).toEqual({ output: "Lost and found.", succeeded: true });
  });

  test("keeps pieces that a recording holds", () => {
    const events = [claude.init(), begins("m1"), says("Hel")];
    expect(readEvents("claude-code", events).result.raw_messages).toEqual(events);
  });

  test("of Codex has the usage that was told last", () => {
    const total = { inputTokens: 1000, outputTokens: 20 };
    const used = { method: "thread/tokenUsage/updated", params: { threadId: "th-1", tokenUsage: { total } } };
    const delta = { method: "item/agentMessage/delta", params: { threadId: "th-1", itemId: "i", delta: "Hel" } };
    const { result } = readEvents("codex", [server.started(), server.turn(), used, delta], CANCELLED);
    expect(pick(result, "output", "input_tokens", "output_tokens", "usage_partial", "raw_messages_count")).toEqual({
      output: "Hel",
      input_tokens: 1000,
      output_tokens: 20,
      usage_partial: true,
      raw_messages_count: 3,
    });
  });
});

describe("a run without an answer", () => {
  test("has failed when its stream breaks off", () => {
    const { result } = readEvents("claude-code", [claude.init()]);
    expect(pick(result, "error", "error_category", "succeeded")).toEqual({
      error: "the agent ended without a result message and without output",
      error_category: "subprocess",
      succeeded: false,
    });
  });

  test.each([[[]], [[claude.result()]]])("has failed when a line was too long, whatever follows: %j", (more) => {
    const reader = createRunReader(HARNESSES["claude-code"], { maxLineBytes: 200 });
    const lines = [claude.init(), claude.text("x".repeat(300)), ...more];
    reader.push(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
    expect(pick(reader.finish(WELL), "error", "error_category", "truncated", "succeeded")).toEqual({
      error: "the agent's answer is lost: a line of its stream was too long to be read",
      error_category: "subprocess",
      truncated: true,
      succeeded: false,
    });
  });
});

describe("what an agent tells people", () => {
  test("is a warning of the run", () => {
    const text = "Model metadata for `m` not found. Defaulting to fallback metadata.";
    const exec = { type: "item.completed", item: { id: "item_0", type: "error", message: text } };
    const told = { method: "warning", params: { threadId: "th-1", message: text } };
    const deprecated = { method: "deprecationNotice", params: { summary: "Old." } };
    expect(readEvents("codex", [exec]).result.warnings).toEqual([`agent-notice: ${text}`]);
    expect(readEvents("codex", [server.started(), told, deprecated]).result.warnings).toEqual([
      `agent-notice: ${text}`,
      "agent-notice: Old.",
    ]);
  });

  test("has no colours", () => {
    const evidence = { stderr: "\u001b[31mERROR\u001b[0m odd" };
    expect(
      readEvents("codex", [{ type: "turn.started" }, { type: "turn.completed" }], { evidence }).result.warnings,
    ).toEqual(["ERROR odd"]);
  });

  test("of another model is the model of the run", () => {
    const params = { threadId: "th-1", fromModel: "m-1", toModel: "m-2" };
    const { result } = readEvents("codex", [server.started(), { method: "model/rerouted", params }]);
    expect(pick(result, "model", "warnings")).toEqual({
      model: "m-2",
      warnings: ["agent-notice: rerouted from m-1 to m-2"],
    });
  });
});
