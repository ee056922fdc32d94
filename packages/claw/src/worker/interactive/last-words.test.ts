import { expect, test } from "vitest";
import { endText } from "./conclude-session.ts";
import { decisionText } from "./hook-questions.ts";
import { lastTextIn } from "./last-words.ts";

const said = (text: string): string =>
  JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] } });

test("the last text of the agent is found behind calls, and behind half a line", () => {
  const call = JSON.stringify({ type: "assistant", message: { content: [{ type: "tool_use", name: "Bash" }] } });
  const lines = ['sistant","mes', said("First."), said("Second."), call, '{"type":"user"}', ""];
  expect(lastTextIn(lines.join("\n"))).toBe("Second.");
  expect(lastTextIn("")).toBe("");
});

test("how a program ended is said in words", () => {
  expect(endText({ origin: "user", exitCode: 1, signal: null })).toBe("the agent ended with exit 1");
  expect(endText({ origin: "user", exitCode: null, signal: 9 })).toBe("the agent was ended by signal 9");
  expect(endText({ origin: "error", exitCode: null, signal: null })).toBe("the agent's terminal was lost");
  expect(endText({ origin: "orchestrator", exitCode: null, signal: null })).toBe("the agent's terminal was closed");
});

test("a decision is written as the agent reads it, with the answers to what it asked", () => {
  const decisionOf = (text: string): unknown =>
    (JSON.parse(text) as { hookSpecificOutput: { decision: unknown } }).hookSpecificOutput.decision;
  expect(decisionOf(decisionText({ decision: "allow" }, {}))).toEqual({ behavior: "allow" });
  expect(decisionOf(decisionText({ decision: "deny", message: "no" }, {}))).toEqual({
    behavior: "deny",
    message: "no",
  });
  const questions = [{ question: "Which?" }];
  expect(decisionOf(decisionText({ decision: "allow", answers: { "Which?": "Blue" } }, { questions }))).toEqual({
    behavior: "allow",
    updatedInput: { questions, answers: { "Which?": "Blue" } },
  });
});
