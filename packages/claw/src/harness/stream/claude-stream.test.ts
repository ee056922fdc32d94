import { describe, expect, test } from "vitest";
import { claude, pick, readEvents } from "../testing/read-events.ts";

const { init, text, call, task, result } = claude;
const read = (...events: Parameters<typeof readEvents>[1]) => readEvents("claude-code", events).result;

describe("what Claude Code consumed", () => {
  test("is the sum over all models when it tells them, sub-agents and earlier turns included", () => {
    const usage = { input_tokens: 5, output_tokens: 6 };
    const small = { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 30, cacheCreationInputTokens: 40 };
    const large = { inputTokens: 100, outputTokens: 200, cacheReadInputTokens: 3000, cacheCreationInputTokens: 4000 };
    const told = result({ usage, modelUsage: { small, large }, total_cost_usd: 0.5 });
    expect(read(text("ok"), told)).toMatchObject({
      input_tokens: 101,
      output_tokens: 202,
      cache_read_input_tokens: 3030,
      cache_creation_input_tokens: 4040,
      cost_usd: 0.5,
      metadata: { model_usage: { small, large } },
    });
  });

  test("is what the last result says of the main conversation when no models are told", () => {
    const usage = { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7, cache_creation_input_tokens: 8 };
    expect(
      read(result({ usage: { input_tokens: 99 }, total_cost_usd: 1 }), result({ usage, modelUsage: {} })),
    ).toMatchObject({
      input_tokens: 5,
      output_tokens: 6,
      cache_read_input_tokens: 7,
      cache_creation_input_tokens: 8,
      cost_usd: 1,
    });
  });

  test("may be more than a number can hold, which counts as nothing", () => {
    const { result: odd } = readEvents("claude-code", [result({ usage: { input_tokens: 1e300, output_tokens: 3 } })]);
    expect(pick(odd, "input_tokens", "output_tokens")).toEqual({ input_tokens: 0, output_tokens: 3 });
  });
});

describe("why a run of Claude Code failed", () => {
  const refused = (word: string, parent: string | null) => ({
    type: "assistant",
    error: word,
    parent_tool_use_id: parent,
    message: { content: [{ type: "text", text: "refused" }] },
  });

  test("is not told by a message that was followed by one that came through, nor by a sub-agent's", () => {
    const end = result({ is_error: true, terminal_reason: "aborted_tools" });
    const categories = [
      [refused("rate_limit", null), end],
      [refused("rate_limit", null), text("on again"), end],
      [refused("rate_limit", "t1"), end],
    ].map((events) => read(...events).error_category);
    expect(categories).toEqual(["rate_limit", "api", "api"]);
  });

  test.each([
    ["error_max_turns", "max_turns", "turns"],
    ["error_max_budget_usd", "budget_exhausted", "money"],
  ])("may be a limit, which versions without a reason tell by %s", (subtype, reason, what) => {
    const ends = [result({ is_error: true, subtype }), result({ is_error: true, subtype, terminal_reason: reason })];
    for (const end of ends) {
      expect(read(text("so far"), end)).toMatchObject({
        terminal_reason: reason,
        error_category: "api",
        warnings: [`limit: the agent stopped because it had used up its ${what}`],
      });
    }
  });

  const failed = (more: object) =>
    pick(read(result({ is_error: true, ...more })), "error", "error_category", "api_error_status");

  test("is decided by the status of the refusal, whatever the text says", () => {
    expect(failed({ result: "429", api_error_status: 401 })).toEqual({
      error: "429",
      error_category: "auth",
      api_error_status: 401,
    });
    expect(failed({ result: "unauthorized", api_error_status: 529 }).error_category).toBe("api");
    expect(failed({ result: "nothing", api_error_status: 429 }).error_category).toBe("rate_limit");
  });

  test.each([
    ["authentication_failed", "auth"],
    ["rate_limit", "rate_limit"],
    ["billing_error", "api"],
    ["server_error", "api"],
  ])("is decided by the word %s on the last message when there is no status", (error, category) => {
    const notice = text("401 and 429", { error });
    const { result: run } = readEvents("claude-code", [notice, result({ is_error: true, result: "401 and 429" })]);
    expect(pick(run, "output", "error_category")).toEqual({ output: "", error_category: category });
  });

  test("is left to the text when the word is unknown, and does not outlive its turn", () => {
    const unknown = text("x", { error: "unknown" });
    expect(read(unknown, result({ is_error: true, result: "HTTP 401" })).error_category).toBe("auth");
    const [notice, good] = [text("x", { error: "authentication_failed" }), result()];
    expect(read(notice, good, result({ is_error: true, result: "boom" })).error_category).toBe("api");
  });

  test("is no failed call when turns or money ran out, whatever digits the text holds", () => {
    const errors = ["Reached maximum number of turns (429)"];
    expect(failed({ subtype: "error_max_turns", terminal_reason: "max_turns", errors })).toEqual({
      error: errors[0],
      error_category: "api",
      api_error_status: null,
    });
  });

  test("is told in all its errors, one a line", () => {
    expect(failed({ errors: ["one", 2, "", "three"] }).error).toBe("one\nthree");
  });

  test("is no retry, however many there were", () => {
    const retry = { type: "system", subtype: "api_retry", attempt: 1, max_retries: 10, error_status: 429 };
    const run = read(init(), retry, retry, text("done"), result());
    expect(pick(run, "error", "error_category", "succeeded_cleanly", "warnings")).toEqual({
      error: null,
      error_category: null,
      succeeded_cleanly: true,
      warnings: [],
    });
  });
});

describe("a run of Claude Code that asked a question", () => {
  const asked = (...events: Parameters<typeof readEvents>[1]) => read(...events).error_category;

  test("is seen by the reason to stop that only the result has", () => {
    expect(asked(text("Which one?"), result({ num_turns: 1, stop_reason: "end_turn" }))).toBe("interactive");
    expect(asked(text("Which one?"), result({ num_turns: 1, stop_reason: "max_tokens" }))).toBe(null);
  });

  test("is judged by its last message, whose blocks may come one by one", () => {
    const [first, second] = ["Which one?", "Never mind."];
    const part = (said: string, id: string) => ({
      type: "assistant",
      message: { id, content: [{ type: "text", text: said }], stop_reason: null },
    });
    const end = result({ num_turns: 1, stop_reason: "end_turn" });
    const ask = { type: "assistant", message: { id: "m2", content: [{ type: "tool_use", name: "AskUserQuestion" }] } };
    expect(asked(part(first, "m1"), part(second, "m2"), end)).toBe(null);
    expect(asked(part(second, "m1"), part(first, "m2"), end)).toBe("interactive");
    expect(asked(ask, part(second, "m2"), end)).toBe("interactive");
    expect(asked(ask, part(second, "m3"), end)).toBe(null);
  });

  test("was no single turn when there was another result before", () => {
    const end = result({ num_turns: 1, stop_reason: "end_turn" });
    expect(asked(text("One."), end, text("Which one?"), end)).toBe(null);
  });

  test("is not judged by what a sub-agent says", () => {
    const sub = text("Which one?", { parent_tool_use_id: "tu_9" });
    const run = read(text("Done."), sub, result({ num_turns: 1, stop_reason: "end_turn" }));
    expect(pick(run, "output", "subagent_output", "error_category")).toEqual({
      output: "Done.",
      subagent_output: "Which one?",
      error_category: null,
    });
  });
});

describe("work in the background of Claude Code", () => {
  const launch = call("Agent", { run_in_background: true });
  const started = task("task_started", { is_backgrounded: true, tool_use_id: "tu_1" });
  const ended = task("task_notification", { status: "completed" });
  const waiting = text("Still waiting on it.");
  const end = result({ num_turns: 9, stop_reason: "end_turn" });

  test("that is reported as done is done, whatever the agent says", () => {
    expect(read(launch, started, waiting, ended, end).error_category).toBe(null);
  });

  test("that is still running when the agent leaves was left behind, whatever it says", () => {
    const run = read(launch, started, text("All done."), end);
    expect(pick(run, "error", "error_category", "succeeded_cleanly")).toEqual({
      error: null,
      error_category: "background-task",
      succeeded_cleanly: false,
    });
    expect(run.warnings).toEqual([expect.stringMatching(/^background-task: /)]);
  });

  test("was cut off when it was stopped after the last result, and not when the agent stopped it before", () => {
    const stopped = task("task_updated", { patch: { status: "killed" } });
    expect(read(started, end, stopped).error_category).toBe("background-task");
    expect(read(started, stopped, end).error_category).toBe(null);
    expect(read(started, end, stopped, init(), text("I stopped it."), end).error_category).toBe(null);
  });

  test("in the foreground is waited for by the agent itself", () => {
    expect(read(task("task_started", { is_backgrounded: false }), text("ok"), end).error_category).toBe(null);
  });

  test("is known to be there by the list of tasks alone", () => {
    const list = (...ids: string[]) => ({
      type: "system",
      subtype: "background_tasks_changed",
      tasks: ids.map((task_id) => ({ task_id, description: "dig" })),
    });
    const running = readEvents("claude-code", [list("a", "b"), list("b"), end]);
    expect([running.progress.backgroundTasks, running.result.error_category]).toEqual([1, "background-task"]);
    const done = readEvents("claude-code", [list("a", "b"), list(), end]);
    expect([done.progress.backgroundTasks, done.result.error_category]).toEqual([0, null]);
  });

  test("is known to be in the background by the call that started it, where the task does not say", () => {
    const old = task("task_started", { tool_use_id: "tu_1" });
    expect(read(launch, old, text("ok"), end).error_category).toBe("background-task");
    expect(read(call("Agent", {}), old, text("ok"), end).error_category).toBe(null);
  });
});

describe("permissions Claude Code refused", () => {
  const event = {
    type: "system",
    subtype: "permission_denied",
    tool_name: "Bash",
    tool_use_id: "tu_1",
    decision_reason: "no",
  };
  const told = { tool_name: "Bash", tool_use_id: "tu_1", tool_input: { command: "rm" } };

  test("are known without a result, and told once with one", () => {
    expect(read(event).permission_denials).toEqual([{ tool_name: "Bash", tool_use_id: "tu_1" }]);
    expect(read(event, result({ permission_denials: [told] })).permission_denials).toEqual([told]);
  });

  test("leave the run a success that is not clean", () => {
    const end = result({ permission_denials: [told] });
    expect(read(text("done"), result({}))).toMatchObject({ succeeded: true, succeeded_cleanly: true });
    expect(read(text("done"), end)).toMatchObject({ succeeded: true, succeeded_cleanly: false, error_category: null });
    expect(read(event, text("done"), result({}))).toMatchObject({ succeeded: true, succeeded_cleanly: false });
  });

  test("of every turn are kept", () => {
    const other = { ...told, tool_use_id: "tu_2" };
    const [first, second] = [result({ permission_denials: [told] }), result({ permission_denials: [other, "odd"] })];
    expect(read(first, second).permission_denials).toEqual([told, other]);
  });
});

describe("who Claude Code says it is", () => {
  test("is the last word on session and model, and the first on the key", () => {
    const [first, second] = [
      init({ model: "a", apiKeySource: "none", claude_code_version: "1" }),
      init({ session_id: "s-2", model: "b", apiKeySource: "x", claude_code_version: "2" }),
    ];
    expect(read(first, second, result({ session_id: "s-3" }))).toMatchObject({
      session_id: "s-3",
      model: "b",
      api_key_source: "none",
      metadata: { cli_version: "2" },
      diagnostics: ["apiKeySource=none"],
    });
  });
});
