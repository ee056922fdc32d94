import { expect, test } from "vitest";
import { NEW_SESSION, reduceSession } from "./agent-session.ts";
import { readHook } from "./hook-fact.ts";

const after = (...reports: Readonly<Record<string, unknown>>[]) =>
  reports.flatMap((report) => readHook(report)).reduce(reduceSession, NEW_SESSION);

const PROMPT = { hook_event_name: "UserPromptSubmit", session_id: "s-1", transcript_path: "/t.jsonl" };
const STOP = { hook_event_name: "Stop", last_assistant_message: "All done." };

test("a turn begins with a prompt and ends with what was said last, and then the prompt waits", () => {
  expect(after(PROMPT)).toMatchObject({ id: "s-1", transcript: "/t.jsonl", turn: "running", waits: null, turns: 0 });
  const tool = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "t1", tool_input: {} };
  expect(after(PROMPT, tool, { ...tool, hook_event_name: "PostToolUse" }, STOP)).toMatchObject({
    turn: "ended",
    waits: "its prompt waits",
    turns: 1,
    tools: 1,
    lastText: "All done.",
  });
});

test("a question and a notification wait for a person, until the agent goes on", () => {
  const asks = { hook_event_name: "PermissionRequest", tool_name: "Write", tool_input: { file_path: "/a" } };
  expect(after(PROMPT, asks)).toMatchObject({ turn: "running", waits: "Write needs permission" });
  const ended = { hook_event_name: "PostToolUse", tool_name: "Write" };
  expect(after(PROMPT, asks, ended)).toMatchObject({ turn: "running", waits: null });
  const waits = { hook_event_name: "Notification", notification_type: "idle_prompt", message: "Waiting for you" };
  expect(after(PROMPT, waits)).toMatchObject({ waits: "Waiting for you" });
  expect(readHook({ hook_event_name: "Notification", notification_type: "auth_success", message: "in" })).toEqual([]);
});

test("Claude Code tells with every report what it may do", () => {
  const [, mode] = readHook({ ...PROMPT, permission_mode: "acceptEdits" });
  expect(mode).toEqual({ kind: "permission-mode", mode: "acceptEdits" });
  expect(after({ ...PROMPT, permission_mode: "acceptEdits" })).toEqual(after(PROMPT));
});

test("the end of a turn of Codex is all that it tells", () => {
  const told = { type: "agent-turn-complete", "thread-id": "t-7", "last-assistant-message": "Fine." };
  expect(readHook(told)).toEqual([{ kind: "thread-ended", id: "t-7", prompts: [], text: "Fine." }]);
  expect(after(told)).toEqual(NEW_SESSION);
  expect(readHook({ type: "something-new" })).toEqual([]);
});

test.each([
  [{}],
  [{ hook_event_name: 7 }],
  [{ hook_event_name: "__proto__" }],
  [{ hook_event_name: "toString", session_id: [] }],
  [{ hook_event_name: "Newer" }],
])("what nobody knows means nothing: %j", (report) => {
  expect(readHook(report)).toEqual([]);
});

test("a turn that ends at a usage limit says so, and text is not forgotten when nothing was said", () => {
  expect(readHook({ hook_event_name: "StopFailure", error: "rate_limit" })).toEqual([
    { kind: "turn-ended", text: null, limited: true },
  ]);
  expect(after(PROMPT, STOP, PROMPT, { hook_event_name: "Stop" })).toMatchObject({ turns: 2, lastText: "All done." });
});
