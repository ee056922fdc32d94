import { describe, expect, test } from "vitest";
import { anthropicRequest } from "./anthropic-request.ts";
import { assistant, call, READ_FILE, request, result, user } from "../testing/ask.ts";

const CACHED = { cache_control: { type: "ephemeral" } };
const text = (said: string) => ({ type: "text" as const, text: said });

test("a request says all that was asked, and ends what can be cached three times", () => {
  const given = request({ system: ["Be brief.", "Be kind."], tools: [READ_FILE, { ...READ_FILE, name: "other" }] });
  const tool = { name: "read_file", description: READ_FILE.description, input_schema: READ_FILE.inputSchema };
  expect(anthropicRequest(given)).toEqual({
    model: "a-model",
    max_tokens: 1000,
    stream: true,
    system: [text("Be brief."), { ...text("Be kind."), ...CACHED }],
    tools: [tool, { ...tool, name: "other", ...CACHED }],
    messages: [{ role: "user", content: [{ ...text("hello"), ...CACHED }] }],
  });
});

test("what there is none of is not sent", () => {
  expect(Object.keys(anthropicRequest(request({ system: [" "], tools: [] })))).not.toEqual(
    expect.arrayContaining(["system"]),
  );
  expect(anthropicRequest(request({ system: [], tools: [] }))).not.toHaveProperty("tools");
});

test("nothing of the conversation is changed by asking", () => {
  const messages = [user("a"), assistant(call("1")), result("1", "x")];
  const before = structuredClone(messages);
  anthropicRequest(request({ messages }));
  expect(messages).toEqual(before);
});

describe("a conversation", () => {
  const sent = (...messages: Parameters<typeof assistant>[] | ReturnType<typeof user>[]) =>
    anthropicRequest(request({ messages: messages as ReturnType<typeof user>[] })).messages;

  test("has the results of tools and what is said next in one message, marked at its end alone", () => {
    const messages = sent(
      user("a"),
      assistant(text("Reading."), call("1", "read_file", '{"path":"a"}'), call("2")),
      result("1", "x"),
      result("2", "y", true),
      user("b"),
    );
    expect(messages).toEqual([
      { role: "user", content: [text("a")] },
      {
        role: "assistant",
        content: [
          text("Reading."),
          { type: "tool_use", id: "1", name: "read_file", input: { path: "a" } },
          { type: "tool_use", id: "2", name: "read_file", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1", content: "x", is_error: false },
          { type: "tool_result", tool_use_id: "2", content: "y", is_error: true },
          { ...text("b"), ...CACHED },
        ],
      },
    ]);
  });

  test.each(["{", "[1]", "null", '"text"', ""])("has an empty object for the tool input %j", (input) => {
    expect(sent(user("a"), assistant(call("1", "bash", input)), result("1", "x"))[1]).toMatchObject({
      content: [{ input: {} }],
    });
  });

  test("has only thoughts that were signed, and those that were hidden as they came", () => {
    const [, said] = sent(
      user("a"),
      assistant(
        { type: "thinking", thinking: "Signed.", signature: "s" },
        { type: "thinking", thinking: "Not signed." },
        { type: "thinking", thinking: "", redacted: "hidden" },
        text("b"),
      ),
    );
    expect(said?.content).toEqual([
      { type: "thinking", thinking: "Signed.", signature: "s" },
      { type: "redacted_thinking", data: "hidden" },
      text("b"),
    ]);
  });

  test("has summaries as texts of the user, and no message that says nothing", () => {
    const summary = { role: "system" as const, blocks: [text("What was said before.")] };
    expect(sent(summary, user("a"), assistant(text(" \n")), user("b"))).toEqual([
      { role: "user", content: [text("What was said before."), text("a"), { ...text("b"), ...CACHED }] },
    ]);
  });

  test("has ids and names that the API takes", () => {
    const messages = sent(user("a"), assistant(call("functions.bash:0", "my tool")), result("functions.bash:0", "x"));
    expect(messages).toMatchObject([
      {},
      { content: [{ id: "functions_bash_0", name: "my_tool" }] },
      { content: [{ tool_use_id: "functions_bash_0" }] },
    ]);
  });
});
