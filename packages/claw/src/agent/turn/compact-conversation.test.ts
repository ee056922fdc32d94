import type { SessionMessage } from "claw-contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutPoint, summariseConversation } from "./compact-conversation.ts";

const user = (text: string): SessionMessage => ({ role: "user", blocks: [{ type: "text", text }] });
const called = (id: string, input: object): SessionMessage => ({
  role: "assistant",
  blocks: [{ type: "tool_use", id, name: "read_file", input: JSON.stringify(input) }],
});
const result = (id: string): SessionMessage => ({
  role: "tool",
  blocks: [{ type: "tool_result", tool_use_id: id, tool_name: "read_file", output: "text", is_error: false }],
});

const exchange = fc
  .array(fc.constantFrom("user", "tool"), { maxLength: 20 })
  .map((kinds) =>
    kinds.flatMap((kind, index) => (kind === "user" ? [user("hi")] : [called(`${index}`, {}), result(`${index}`)])),
  );

test("a cut never separates a call from its result, and never keeps fewer messages than asked for", () => {
  fc.assert(
    fc.property(exchange, fc.nat(10), (messages, keep) => {
      const cut = cutPoint(messages, keep);
      expect(messages[cut]?.role).not.toBe("tool");
      expect(messages.length - cut).toBeGreaterThanOrEqual(Math.min(keep, messages.length));
    }),
  );
});

test("a conversation that is short enough already is left alone", () => {
  expect(cutPoint([user("a"), user("b")], 2)).toBe(0);
});

test("a summary names what was asked, which files were worked on and what was done, and goes on from the last one", () => {
  const summary = summariseConversation("they began", [
    user("fix the parser"),
    called("1", { path: "src/parser.ts" }),
    result("1"),
  ]);
  expect(summary).toBe(
    [
      "Before that:",
      "they began",
      "",
      "3 earlier messages are left out. What they came to:",
      "- the user asked: fix the parser",
      "- files worked on: src/parser.ts",
      "Step by step:",
      "- user: fix the parser",
      '- called read_file {"path":"src/parser.ts"}',
      "- read_file answered: text",
    ].join("\n"),
  );
});

test("a summary is bounded, however much it stands for", () => {
  const long = Array.from({ length: 5000 }, (_, index) => user(`request ${index} ${"x".repeat(500)}`));
  expect(summariseConversation("y".repeat(100_000), long).length).toBeLessThanOrEqual(12_000);
});
