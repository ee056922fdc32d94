import { expect, test } from "vitest";
import { HARNESSES } from "../../../harness/index.ts";
import type { TranscriptStory } from "./transcript-story.ts";
import { createTranscriptStory } from "./transcript-story.ts";

const AT = "2026-01-02T03:04:05.000Z";

const tell = (story: TranscriptStory, ...lines: readonly unknown[]): string[] =>
  lines
    .flatMap((line) => story.take(Buffer.from(typeof line === "string" ? line : JSON.stringify(line))))
    .map(({ kind, text }) => `${kind} ${text}`);

const claude = (): TranscriptStory => createTranscriptStory(HARNESSES["claude-code"]);

const mark = (subtype: string, more: object = {}): object => ({ type: "claw", at: AT, subtype, ...more });
const call = (id: string, name: string, input: object): object => ({ type: "tool_use", id, name, input });
const says = (...content: readonly object[]): object => ({
  type: "assistant",
  message: { role: "assistant", content },
});
const inside = (parent: string, message: object): object => ({ ...message, parent_tool_use_id: parent });
const result = (id: string, content: string, isError = false): object => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }] },
});
const text = (said: string): object => ({ type: "text", text: said });

test("a run is told as what the agent was asked, said and did, and how it ended", () => {
  const told = tell(
    claude(),
    mark("started", { attempt: 1, harness: "claude-code", reason: null }),
    mark("prompt", { text: "mend the tests\nall of them" }),
    says(text("I look first."), call("t1", "Bash", { command: "npm test", description: "Run tests" })),
    result("t1", "1 failed\nat a.ts", true),
    says(text("Mended.")),
    mark("ended", { result: "complete", reason: "Mended.", tool_calls: 1, total_cost_usd: 0.0044 }),
  );
  expect(told).toEqual([
    expect.stringMatching(/^start ▶ start 1 · claude-code · 01-0\d \d\d:04:05$/),
    "prompt > mend the tests\n> all of them",
    "text I look first.",
    "tool ● Bash: npm test",
    "error   └ 1 failed\n    at a.ts",
    "text Mended.",
    expect.stringMatching(/^end ■ done \(1 tool call, \$0\.0044\)/),
  ]);
});

test("sub-agents are named when they take turns, and results when they come late", () => {
  const told = tell(
    claude(),
    says(call("a", "Task", { description: "count files" }), call("b", "Task", { description: "count lines" })),
    inside("a", says(call("a1", "Bash", { command: "ls" }))),
    inside("b", says(call("b1", "Bash", { command: "wc -l" }))),
    inside("b", result("b1", "7")),
    inside("a", result("a1", "3")),
    result("a", "three"),
  );
  expect(told).toEqual([
    "tool ● Task: count files",
    "tool ● Task: count lines",
    "tool ● sub-agent Task: count files",
    "tool   ● Bash: ls",
    "tool ● sub-agent Task: count lines",
    "tool   ● Bash: wc -l",
    "result     └ 7",
    "tool ● sub-agent Task: count files",
    "tool   ● result of Bash: ls",
    "result     └ 3",
    "tool ● result of Task: count files",
    "result   └ three",
  ]);
});

test("questions, their answers and texts that came meanwhile stand where they belong", () => {
  const asks = (request: object): object => ({ type: "control_request", request_id: "r", request });
  const told = tell(
    claude(),
    asks({ subtype: "can_use_tool", tool_name: "Bash", input: { command: "rm -rf build" } }),
    mark("answered", { approved: false, text: "not today", from: "p_1" }),
    asks({
      subtype: "can_use_tool",
      tool_name: "AskUserQuestion",
      input: { questions: [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }] },
    }),
    mark("answered", { approved: true, text: "Red", from: "p_1" }),
    mark("told", { text: "hurry", from: "p_1" }),
  );
  expect(told).toEqual([
    "question ? asks for permission: Bash: rm -rf build",
    "answer ! refused: not today",
    "question ? asks: Which colour? (Red / Blue)",
    "answer ! allowed: Red",
    "prompt > hurry",
  ]);
});

test("a failure says why once, and each end has its own word", () => {
  const failed = { type: "result", subtype: "error_during_execution", is_error: true, result: "API Error: 401" };
  const end = (how: string, reason: string): object =>
    mark("ended", { result: how, reason, tool_calls: 0, total_cost_usd: 0 });
  const story = claude();
  expect(tell(story, failed, end("failed", "API Error: 401"))).toEqual([
    "error API Error: 401",
    expect.stringMatching(/^error ■ failed: API Error: 401 \(0 tool calls\)/),
  ]);
  expect(story.hasEnded()).toBe(true);
  expect(tell(story, mark("started", { attempt: 2, harness: "fake", reason: "it crashed" }))).toEqual([
    expect.stringMatching(/^start ▶ start 2: it crashed · fake/),
  ]);
  expect(story.hasEnded()).toBe(false);
  expect(tell(story, end("cancelled", "enough"), end("crashed", "SIGKILL"), end("odd", "x"))).toEqual([
    expect.stringMatching(/^end ■ aborted: enough/),
    expect.stringMatching(/^error ■ crashed: SIGKILL/),
  ]);
});

test("what is no event, hostile or of a newer version disturbs nothing", () => {
  const told = tell(
    claude(),
    '{"type":"assistant","mess',
    "",
    "[1]",
    mark("brand_new"),
    { type: "claw" },
    { type: "assistant", message: null },
    says(text("\u001B[31mred\u001B[0m and \u001B]0;title\u0007plain")),
    mark("started", { attempt: "x", harness: 7, at: "never" }),
  );
  expect(told).toEqual([
    'note (no event: {"type":"assistant","mess)',
    "note (no event: [1])",
    "text red and plain",
    "start ▶ start 0 ·",
  ]);
});

test("a transcript of Codex is told in the same words", () => {
  const item = (more: object): object => ({ type: "item.completed", item: { id: "i1", ...more } });
  const told = tell(
    createTranscriptStory(HARNESSES.codex),
    { type: "thread.started", thread_id: "t" },
    item({ type: "command_execution", command: "ls", aggregated_output: "a.ts\n", exit_code: 0, status: "completed" }),
    item({ id: "i2", type: "agent_message", text: "One file." }),
  );
  expect(told).toEqual([expect.stringContaining("ls"), "result   └ a.ts", "text One file."]);
});
