import type { JsonObject } from "claw-contract";
import { expect, test } from "vitest";
import { claude, readEvents, server } from "../testing/read-events.ts";

const progress = (harness: "claude-code" | "codex", ...events: JsonObject[]) => readEvents(harness, events).progress;

test("before anything is said nothing is known", () => {
  expect(progress("claude-code")).toEqual({
    inputTokens: 0,
    outputTokens: 0,
    messageInputTokens: 0,
    costUsd: null,
    sessionId: null,
    model: null,
    permissionMode: null,
    activity: null,
    sawResult: false,
    turns: 0,
    limitResetsAtMs: null,
    backgroundTasks: 0,
  });
});

test.each<[string, JsonObject]>([
  ["starting", claude.init()],
  ["writing", claude.text("x")],
  ["Bash: list the files", claude.call("Bash", { command: "ls", description: "list\n  the files" })],
  ["Grep", claude.call("Grep", {})],
  ["trying again", { type: "system", subtype: "api_retry" }],
  ["done", claude.result()],
])("what the agent does is told: %s", (activity, event) => {
  expect(progress("claude-code", event).activity).toBe(activity);
});

test("a change of what the agent may do is told, and is nothing that it does", () => {
  const status = { type: "system", subtype: "status", permissionMode: "plan" };
  const init = claude.init({ permissionMode: "default", session_id: "s" });
  expect(progress("claude-code", init)).toMatchObject({ permissionMode: "default" });
  expect(progress("claude-code", init, claude.text("x"), status)).toMatchObject({
    permissionMode: "plan",
    activity: "writing",
  });
});

test("Codex tells what it may do when a thread begins, and when that changes", () => {
  const answer = { id: 2, result: { thread: { id: "th" }, sandbox: { type: "workspaceWrite" } } };
  const threadSettings = { sandboxPolicy: { type: "readOnly" } };
  const changed = { method: "thread/settings/updated", params: { threadId: "th", threadSettings } };
  const modes = [progress("codex", answer), progress("codex", answer, changed)].map((each) => each.permissionMode);
  expect(modes).toEqual(["workspace-write", "read-only"]);
});

test("tokens are summed over messages until the agent tells its totals, each message once", () => {
  const part = (id: string) => ({
    type: "assistant",
    message: { id, content: [], usage: { input_tokens: 10, output_tokens: 1 } },
  });
  const live = [part("a"), part("a"), part("b")];
  expect(progress("claude-code", ...live)).toMatchObject({ inputTokens: 20, outputTokens: 2, costUsd: null });
  const end = claude.result({ usage: { input_tokens: 7, output_tokens: 8 }, total_cost_usd: 0.1 });
  expect(progress("claude-code", ...live, end)).toMatchObject({ inputTokens: 7, outputTokens: 8, costUsd: 0.1 });
});

test("a result is seen until another turn begins", () => {
  const [init, end] = [claude.init(), claude.result()];
  expect([progress("claude-code", init, end).sawResult, progress("claude-code", init, end, init).sawResult]).toEqual([
    true,
    false,
  ]);
  const done = server.ended({ status: "completed" });
  expect([progress("codex", server.turn(), done).sawResult, progress("codex", done, server.turn()).sawResult]).toEqual([
    true,
    false,
  ]);
});

test("tasks that run are counted", () => {
  const started = claude.task("task_started", { is_backgrounded: true });
  const ended = claude.task("task_notification", { status: "completed" });
  const late = claude.task("task_progress", {});
  expect(progress("claude-code", started).backgroundTasks).toBe(1);
  expect(progress("claude-code", started, ended, started, late).backgroundTasks).toBe(0);
});
