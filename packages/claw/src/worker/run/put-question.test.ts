import type { AgentQuestion } from "claw-contract";
import { expect, test } from "vitest";
import { subjectOf } from "./put-question.ts";

const question = (more: Partial<AgentQuestion>): AgentQuestion => ({
  id: "q1",
  about: "permission",
  harness: "claude-code",
  tool: "Bash",
  input: {},
  reason: "",
  cwd: "/home/user/project",
  event: {},
  ...more,
});

test.each<[string, Partial<AgentQuestion>, string]>([
  ["a tool's name", { input: { command: "rm -rf\n  build" }, reason: "Bash" }, "Bash: rm -rf build"],
  ["nothing", { input: { command: ["git", "push"] } }, "Bash: git push"],
  ["a file's name", { tool: "Write", input: { file_path: "/a/out.txt" }, reason: "out.txt" }, "Write: /a/out.txt"],
  ["why", { input: { command: "curl x" }, reason: "May I\nuse the network?" }, "May I use the network?"],
])("a question that says %s has a reason that says what is asked for, in a line", (_said, more, reason) => {
  expect(subjectOf(question(more))["reason"]).toBe(reason);
});

test("a question of Codex about files names them and shows the change", () => {
  const input = { files: ["/w/a.txt", "/w/b.txt"], diff: "hello" };
  const asked = question({ harness: "codex", tool: "fileChange", input });
  const reason = "fileChange: /w/a.txt, /w/b.txt";
  expect(subjectOf(asked)).toEqual({ tool: "fileChange", ...input, input, cwd: "/home/user/project", reason });
});

test("a command that runs in another folder is asked about with that folder", () => {
  expect(subjectOf(question({ input: { command: "ls", cwd: "/elsewhere" } }))).toMatchObject({ cwd: "/elsewhere" });
});

test("a reason is no longer than the line above it, and a form without one has none", () => {
  expect(String(subjectOf(question({ input: { command: "x".repeat(9000) } }))["reason"])).toHaveLength(500);
  expect(subjectOf(question({ about: "elicitation" }))).not.toHaveProperty("reason");
});
