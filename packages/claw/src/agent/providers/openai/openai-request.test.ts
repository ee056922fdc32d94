import { expect, test } from "vitest";
import { openAiRequest } from "./openai-request.ts";
import { assistant, call, READ_FILE, request, result, user } from "../testing/ask.ts";

const sent = (messages: ReturnType<typeof user>[], thoughts = true) =>
  openAiRequest(request({ system: [], messages }), thoughts).messages;

test("a request says all that was asked", () => {
  expect(openAiRequest(request({ system: ["Be brief.", "", "Be kind."] }), true)).toEqual({
    model: "a-model",
    max_tokens: 1000,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: "system", content: "Be brief.\n\nBe kind." },
      { role: "user", content: "hello" },
    ],
    tools: [
      {
        type: "function",
        function: { name: "read_file", description: READ_FILE.description, parameters: READ_FILE.inputSchema },
      },
    ],
  });
});

test.each([
  ["gpt-5", "max_completion_tokens"],
  ["gpt-5.4-mini", "max_completion_tokens"],
  ["o3-mini", "max_completion_tokens"],
  ["openai/gpt-5", "max_completion_tokens"],
  ["gpt-4o", "max_tokens"],
  ["llama3:8b", "max_tokens"],
  ["openai/gpt-oss-20b", "max_tokens"],
  ["olmo-2", "max_tokens"],
])("the longest answer of %s is named %s", (model, field) => {
  expect(openAiRequest(request({ model }), true)).toHaveProperty(field, 1000);
});

test("each result is a message of its own, and the model's texts are one", () => {
  const said = assistant({ type: "text", text: "Read" }, { type: "text", text: "ing." }, call("1"), call("2"));
  expect(sent([user("a"), said, result("1", "x"), result("2", "y"), user("b")])).toEqual([
    { role: "user", content: "a" },
    {
      role: "assistant",
      content: "Reading.",
      tool_calls: [
        { id: "1", type: "function", function: { name: "read_file", arguments: "{}" } },
        { id: "2", type: "function", function: { name: "read_file", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "1", content: "x" },
    { role: "tool", tool_call_id: "2", content: "y" },
    { role: "user", content: "b" },
  ]);
});

test("thoughts go back only to those who want them", () => {
  const said = assistant({ type: "thinking", thinking: "Hm." }, { type: "text", text: "b" });
  expect(sent([user("a"), said])[1]).toMatchObject({ reasoning_content: "Hm." });
  expect(sent([user("a"), said], false)[1]).not.toHaveProperty("reasoning_content");
});

test("summaries are texts of the user, and what says nothing is left out", () => {
  const summary = { role: "system" as const, blocks: [{ type: "text" as const, text: "Before." }] };
  expect(sent([summary, user(""), assistant(), user("a")])).toEqual([
    { role: "user", content: "Before." },
    { role: "user", content: "a" },
  ]);
});
