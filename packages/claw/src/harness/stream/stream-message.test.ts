import type { JsonObject } from "claw-contract";
import { describe, expect, test } from "vitest";
import { claude, readEvents, server } from "../testing/read-events.ts";

const printed = (harness: "claude-code" | "codex" | "fake", ...events: JsonObject[]) =>
  readEvents(harness, events).items.flatMap(({ messages }) => messages);

describe("what stream-json prints for Claude Code", () => {
  test("is its own messages, untouched", () => {
    const events = [
      claude.init({ tools: ["Bash"] }),
      claude.text("hi", { request_id: "r" }),
      { type: "user", message: { content: "x" } },
      { type: "system", subtype: "brand_new", field: 1 },
      claude.result({ extra: [1] }),
    ];
    expect(printed("claude-code", ...events)).toEqual(events);
  });

  test("is any other event as it came, marked as such", () => {
    const events = [{ type: "command_lifecycle", state: "queued" }, { note: "no type" }, { type: 5 }];
    expect(printed("claude-code", ...events)).toEqual(
      events.map((event) => ({ type: "native", harness: "claude-code", event })),
    );
  });
});

describe("what stream-json prints for Codex", () => {
  test("has the shapes of the contract", () => {
    const command = { id: "c", type: "command_execution", command: "ls" };
    const messages = printed(
      "codex",
      { type: "thread.started", thread_id: "th" },
      { type: "item.completed", item: { id: "m", type: "agent_message", text: "hi" } },
      { type: "item.started", item: { ...command, status: "in_progress" } },
      { type: "item.completed", item: { ...command, aggregated_output: "a.txt\n", exit_code: 2, status: "failed" } },
      { type: "error", message: "Reconnecting... 2/5 (cut)" },
      { type: "turn.completed", usage: { input_tokens: 3, output_tokens: 4, cached_input_tokens: 1 } },
    );
    const spoken = (type: string, block: JsonObject) => ({
      type,
      message: { role: type, content: [block] },
      parent_tool_use_id: null,
    });
    expect(messages).toEqual([
      { type: "system", subtype: "init", session_id: "th", model: null, apiKeySource: null },
      spoken("assistant", { type: "text", text: "hi" }),
      spoken("assistant", { type: "tool_use", id: "c", name: "command_execution", input: { command: "ls" } }),
      spoken("user", { type: "tool_result", tool_use_id: "c", content: "a.txt\n", is_error: true }),
      {
        type: "system",
        subtype: "api_retry",
        attempt: 2,
        max_retries: 5,
        retry_delay_ms: null,
        error_status: null,
        error: "Reconnecting... 2/5 (cut)",
      },
      {
        type: "result",
        subtype: "success",
        is_error: false,
        api_error_status: null,
        terminal_reason: "completed",
        stop_reason: null,
        permission_denials: [],
        usage: { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 1, cache_creation_input_tokens: 0 },
      },
    ]);
  });

  test("tells a failure as the contract does", () => {
    const [message] = printed("codex", { type: "turn.failed", error: { message: "status 429" } });
    expect(message).toMatchObject({
      type: "result",
      subtype: "error_during_execution",
      is_error: true,
      result: "status 429",
    });
  });

  test("is an event that has no shape there as it came, marked as such", () => {
    const events = [{ type: "turn.started" }, { type: "brand.new", x: 1 }, server.turn(), { id: 1, result: {} }];
    expect(printed("codex", ...events)).toEqual(events.map((event) => ({ type: "native", harness: "codex", event })));
  });
});

describe("the fake agent", () => {
  test("is understood in either language, by the first event that tells which", () => {
    const unknown = { type: "x" };
    const spoken = readEvents("fake", [unknown, claude.text("hi"), claude.result({ usage: { input_tokens: 1 } })]);
    expect(spoken.result).toMatchObject({ harness: "fake", output: "hi", input_tokens: 1, warnings: [] });
    const codex = readEvents("fake", [
      unknown,
      { type: "thread.started", thread_id: "th" },
      { type: "item.completed", item: { type: "agent_message", text: "hi" } },
      { type: "turn.failed", error: { message: "quota" } },
    ]);
    expect(codex.result).toMatchObject({
      harness: "fake",
      output: "hi",
      session_id: "th",
      error_category: "rate_limit",
    });
    expect(readEvents("fake", [server.started(), server.turn()]).result.session_id).toBe("th-1");
  });

  test("that says nothing is missed like Claude Code", () => {
    expect(readEvents("fake", []).result.warnings).toEqual([expect.stringMatching(/^stream-json ended without/)]);
  });
});

describe("a recording of a dialogue", () => {
  test("says nothing by the lines that went to the agent", () => {
    const sent = { dir: "in", ...claude.text("mine") };
    const { result, items } = readEvents("claude-code", [
      sent,
      claude.text("theirs"),
      { dir: "in", ...claude.result() },
    ]);
    expect([result.output, result.raw_messages_count, items[0]?.updates]).toEqual(["theirs", 3, []]);
    expect(result.warnings).toEqual([expect.stringMatching(/^stream-json ended without/)]);
  });
});
