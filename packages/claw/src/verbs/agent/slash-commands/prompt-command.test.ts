import { expect, test } from "vitest";
import type { McpPrompt } from "../../../agent/index.ts";
import type { CommandContext } from "./command.ts";
import { promptCommand } from "./prompt-command.ts";
import { createMemorySession } from "./testing/memory-session.ts";

const never = new AbortController().signal;
const prompt: McpPrompt = {
  name: "mcp__docs__review",
  server: "docs",
  description: "Reviews a file.",
  arguments: [
    { name: "file", required: true },
    { name: "focus", required: false },
  ],
  get: async (words) => (words === "" ? " " : `Review ${words}.`),
};
const order = (words: string, session: CommandContext["session"]) =>
  promptCommand(prompt).run(words, { session } as CommandContext, never);

test("a prompt of a server is submitted as the server words it, and says how it is typed", async () => {
  const session = createMemorySession();
  expect(await order("a.ts", session)).toMatchObject({ handled: true, message: "Review a.ts." });
  expect(session.submitted).toEqual(["Review a.ts."]);
  expect(promptCommand(prompt).usage).toBe("FILE [FOCUS]");
});

test("a prompt is not handled without a session, or when the server gives an empty one", async () => {
  const session = createMemorySession();
  expect([await order("a.ts", null), await order("", session)]).toMatchObject([{ handled: false }, { handled: false }]);
  expect(session.submitted).toEqual([]);
});
