import { describe, expect, test } from "vitest";
import { pick, readEvents, server } from "../testing/read-events.ts";

const read = (...events: Parameters<typeof readEvents>[1]) => readEvents("codex", events).result;
const outcome = (...events: Parameters<typeof readEvents>[1]) =>
  pick(read(...events), "error", "error_category", "api_error_status", "terminal_reason");

const message = (text: string) => ({ type: "item.completed", item: { id: "m", type: "agent_message", text } });

describe("an error that codex exec reports", () => {
  const done = { type: "turn.completed", usage: {} };
  const failed = { type: "turn.failed", error: { message: "boom" } };

  test("is taken back by a turn that ends well", () => {
    expect(outcome({ type: "error", message: "boom" }, done)).toMatchObject({
      error: null,
      terminal_reason: "completed",
    });
    expect(outcome(failed, done)).toMatchObject({ error: null, terminal_reason: "completed" });
  });

  test("counts when the turn never ends, unless it was a notice of a retry", () => {
    expect(outcome({ type: "error", message: "status 401" })).toMatchObject({
      error: "status 401",
      error_category: "auth",
    });
    expect(outcome({ type: "error", message: "Reconnecting... 1/5 (status 401)" }).error).toBe(null);
  });

  test("counts when it comes after a turn that ended well", () => {
    expect(outcome(done, failed)).toMatchObject({ error: "boom", terminal_reason: "failed" });
  });
});

describe("usage of codex exec", () => {
  test("is that of the conversation so far, not a sum", () => {
    const turn = (input_tokens: number) => ({
      type: "turn.completed",
      usage: {
        input_tokens,
        output_tokens: 2,
        cached_input_tokens: 3,
        cache_write_input_tokens: 4,
        reasoning_output_tokens: 5,
      },
    });
    expect(read(turn(10), turn(25))).toMatchObject({
      input_tokens: 25,
      output_tokens: 2,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 4,
      cost_usd: null,
      metadata: { cached_input_tokens: 3, reasoning_output_tokens: 5 },
    });
  });
});

describe("items of codex exec", () => {
  test("with the same key twice are read, the last one counts", () => {
    const line = '{"type":"item.completed","item":{"id":"item_0","type":"web_search","id":"ws_24","query":"q"}}';
    const { items } = readEvents("codex", [JSON.parse(line) as Record<string, unknown>]);
    expect(items[0]?.updates).toEqual([
      { kind: "tool-call", id: "ws_24", name: "web_search", input: { query: "q" }, agent: null },
      { kind: "tool-result", id: "ws_24", failed: false, output: "", agent: null },
    ]);
  });

  test("that never ended are closed when the stream does, and commands among them are told", () => {
    const start = (id: string, type: string) => ({ type: "item.started", item: { id, type, command: "sleep 60" } });
    const { result, items } = readEvents("codex", [
      start("a", "command_execution"),
      start("b", "file_change"),
      message("x"),
    ]);
    expect(items.at(-1)?.updates.map((update) => update.kind)).toEqual(["tool-result", "tool-result", "warning"]);
    expect(result.warnings).toEqual(["unfinished-commands: 1 still ran when the agent left"]);
    expect([result.succeeded_cleanly, result.raw_messages_count]).toEqual([true, 3]);
  });

  test("of sub-agents are kept apart, each of their texts once", () => {
    const states = { "th-2": { status: "completed", message: "seven" }, "th-3": { status: "running", message: null } };
    const item = (id: string) => ({
      type: "item.completed",
      item: { id, type: "collab_tool_call", tool: "wait", agents_states: states, status: "completed" },
    });
    expect(pick(read(item("a"), item("b"), message("It said seven.")), "output", "subagent_output")).toEqual({
      output: "It said seven.",
      subagent_output: "seven",
    });
  });
});

describe("a failure of the app-server", () => {
  const failed = (codexErrorInfo: unknown, text = "no words") =>
    outcome(
      server.started(),
      server.turn(),
      server.ended({ status: "failed", error: { message: text, codexErrorInfo } }),
    );

  test.each([
    ["unauthorized", "auth", null],
    ["usageLimitExceeded", "rate_limit", null],
    ["UsageLimitExceeded", "rate_limit", null],
    ["serverOverloaded", "api", null],
    [{ httpConnectionFailed: { httpStatusCode: 401 } }, "auth", 401],
    [{ responseStreamDisconnected: { httpStatusCode: 429 } }, "rate_limit", 429],
    [{ responseStreamDisconnected: { httpStatusCode: null } }, "api", null],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 503 } }, "api", 503],
  ])("is decided by what it says of itself: %j", (info, category, status) => {
    expect(failed(info)).toMatchObject({ error: "no words", error_category: category, api_error_status: status });
  });

  test("is left to the text when it says nothing", () => {
    expect(failed("other", "quota").error_category).toBe("rate_limit");
    expect(failed(null, "status 401").error_category).toBe("auth");
  });

  test("is no failure while it is tried again", () => {
    const error = (willRetry: boolean) => ({
      method: "error",
      params: { threadId: "th-1", willRetry, error: { message: "cut", codexErrorInfo: "other" } },
    });
    expect(outcome(server.started(), error(true)).error).toBe(null);
    expect(outcome(server.started(), error(false)).error).toBe("cut");
    expect(outcome(error(false), server.ended({ status: "completed" })).error).toBe(null);
  });

  test("to start a conversation at all is one", () => {
    expect(outcome({ id: 2, error: { code: -32603, message: "no model" } }).error).toBe("no model");
    const late = { id: 4, error: { message: "no turn to interrupt" } };
    expect(outcome(server.started(), server.turn(), late, server.ended({ status: "completed" })).error).toBe(null);
  });
});

describe("a conversation with the app-server", () => {
  const delta = (itemId: string, text: string) => ({
    method: "item/agentMessage/delta",
    params: { threadId: "th-1", itemId, delta: text },
  });

  test("keeps what was written before it was interrupted, and nothing twice", () => {
    const whole = server.item("completed", { type: "agentMessage", id: "a", text: "one" });
    const run = read(
      server.started(),
      server.turn(),
      delta("a", "on"),
      whole,
      delta("b", "tw"),
      delta("b", "o"),
      server.ended({ status: "interrupted", error: null }),
    );
    expect(pick(run, "output", "error", "terminal_reason")).toEqual({
      output: "one\ntwo",
      error: "the turn was interrupted",
      terminal_reason: "interrupted",
    });
  });

  test("keeps other conversations apart: their text, their turns, their totals", () => {
    const sub = server.item("completed", { type: "agentMessage", id: "s", text: "sub" }, "th-2");
    const total = (threadId: string, inputTokens: number) => ({
      method: "thread/tokenUsage/updated",
      params: { threadId, tokenUsage: { total: { inputTokens } } },
    });
    const end = { method: "turn/completed", params: { threadId: "th-2", turn: { status: "failed", error: {} } } };
    const run = read(server.started(), server.started("th-2"), sub, total("th-1", 5), total("th-2", 9), end);
    expect(pick(run, "session_id", "output", "subagent_output", "input_tokens", "error")).toEqual({
      session_id: "th-1",
      output: "",
      subagent_output: "sub",
      input_tokens: 5,
      error: null,
    });
  });

  test("tells what is asked, with the id to be answered", () => {
    const ask = (method: string, params: object) =>
      readEvents("codex", [{ method, id: 0, params }]).items[0]?.updates[0];
    expect(ask("item/commandExecution/requestApproval", { command: "ls", reason: "May I?" })).toMatchObject({
      kind: "request",
      id: 0,
      about: "permission",
      tool: "commandExecution",
      reason: "May I?",
    });
    const elicitation = { serverName: "tiny", message: "Colour?" };
    const approval = { ...elicitation, _meta: { codex_approval_kind: "mcp_tool_call" } };
    expect([
      ask("mcpServer/elicitation/request", elicitation),
      ask("mcpServer/elicitation/request", approval),
      ask("item/tool/requestUserInput", {}),
      ask("item/tool/call", {}),
    ]).toEqual([
      expect.objectContaining({ about: "elicitation", tool: "tiny" }),
      expect.objectContaining({ about: "permission", tool: "tiny" }),
      expect.objectContaining({ about: "question" }),
      undefined,
    ]);
  });
});

describe("stderr of codex", () => {
  test("is told even of a run that went well, without lines that may hold a credential", () => {
    const stderr = "WARNING: --x is deprecated\nAuthorization: abc\n";
    const { result } = readEvents("codex", [message("ok")], { evidence: { stderr } });
    expect(result.warnings).toEqual([
      "WARNING: --x is deprecated\n<line redacted: matched auth-leak pattern>\n",
      "codex-deprecation: WARNING: --x is deprecated",
    ]);
    expect(result.error).toBe(null);
  });

  test("is the error of a process that failed before it said anything", () => {
    const { result } = readEvents("codex", [], { evidence: { exitCode: 1, stderr: "bad config\n" } });
    expect(pick(result, "error", "error_category", "exit_code")).toEqual({
      error: "bad config\n",
      error_category: null,
      exit_code: 1,
    });
  });
});

test("a stream of Codex that ends within a turn has failed, however its process left", () => {
  const lines = [{ type: "thread.started", thread_id: "t" }, { type: "turn.started" }, message("half")];
  const told = (...events: Parameters<typeof readEvents>[1]) =>
    pick(readEvents("codex", events).result, "error", "error_category", "succeeded_cleanly");
  expect(told(...lines)).toEqual({
    error: "the stream ended before the turn did",
    error_category: "subprocess",
    succeeded_cleanly: false,
  });
  const clean = { error: null, error_category: null, succeeded_cleanly: true };
  expect([told(...lines, { type: "turn.completed" }), told(message("a piece of one"))]).toEqual([clean, clean]);
});
