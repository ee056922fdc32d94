import { describe, expect, test } from "vitest";
import { attemptOf, fillIn, readChat, readInput, readMessages, turnsFor } from "./conversation.ts";
import type { Conversation } from "./conversation.ts";
import { FAULTS, say } from "./model-scenario.ts";

describe("the turn a request asks for", () => {
  test("is the number of assistant messages in a request of the Messages API", () => {
    const messages = [
      { role: "user", content: "hello" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Bash", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "printed" }] },
      { role: "assistant", content: [{ type: "text", text: "done" }] },
      { role: "user", content: [{ type: "text", text: "and now" }] },
    ];
    expect(readMessages({ messages })).toEqual({
      prompts: ["hello", "and now"],
      turn: 2,
      output: "printed",
      results: [{ id: "t1", name: "Bash", output: "printed", isError: false }],
    });
    expect(readMessages({})).toEqual({ prompts: [], turn: 0, output: "", results: [] });
  });

  test("is the number of assistant messages in a request of the Chat Completions API", () => {
    const call = (id: string, name: string) => ({ id, type: "function", function: { name, arguments: "{}" } });
    const messages = [
      { role: "system", content: "be brief" },
      { role: "user", content: "hello" },
      { role: "assistant", content: null, tool_calls: [call("c1", "bash"), call("c2", "read_file")] },
      { role: "tool", tool_call_id: "c2", content: "second" },
      { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "first" }] },
    ];
    expect(readChat({ messages } as never)).toEqual({
      prompts: ["hello"],
      turn: 1,
      output: "first",
      results: [
        { id: "c2", name: "read_file", output: "second", isError: false },
        { id: "c1", name: "bash", output: "first", isError: false },
      ],
    });
    expect(readChat({})).toEqual({ prompts: [], turn: 0, output: "", results: [] });
  });

  test("is the number of rows of the model's own items in a request of the Responses API", () => {
    const input = [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "be brief" }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] },
      { type: "reasoning", summary: [] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "one moment" }] },
      { type: "function_call", call_id: "c1", name: "exec_command", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: '{"agent_id":"a1"}' },
      { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "" },
      { type: "custom_tool_call_output", call_id: "c2", output: "patched" },
    ];
    expect(readInput({ input })).toEqual({
      prompts: ["hello"],
      turn: 2,
      output: "patched",
      results: [
        { id: "c1", name: "exec_command", output: '{"agent_id":"a1"}', isError: false },
        { id: "c2", name: "apply_patch", output: "patched", isError: false },
      ],
    });
    expect(readInput({ input: input.slice(0, 6) })).toMatchObject({ turn: 1, output: '{"agent_id":"a1"}' });
    expect(readInput({ input: "hello" })).toEqual({ prompts: ["hello"], turn: 0, output: "", results: [] });
  });
});

describe("what is said", () => {
  const turns = [say("one"), [FAULTS.overloaded, say("two")]];
  const at = (turn: number) => ({ prompts: [], turn, output: "", results: [] });

  test("is the turn's, and the last turn repeats", () => {
    expect([0, 1, 2].map((turn) => attemptOf(turns, at(turn), 9))).toEqual([say("one"), say("two"), say("two")]);
  });

  test("may differ by attempt, and the last attempt repeats", () => {
    expect([0, 1, 2].map((attempt) => attemptOf(turns, at(1), attempt))).toEqual([
      FAULTS.overloaded,
      say("two"),
      say("two"),
    ]);
  });

  test("is nothing in a scenario without turns", () => {
    expect(attemptOf([], at(0), 0)).toEqual({ kind: "answer", blocks: [] });
  });

  test("may follow from what the tools gave", () => {
    const echo = ({ results }: Conversation) => say(results.map(({ id, output }) => `${id}=${output}`).join());
    const result = { id: "t1", name: "bash", output: "7", isError: false };
    expect(attemptOf([echo], { ...at(3), results: [result, { ...result, id: "t2" }] }, 0)).toEqual(say("t1=7,t2=7"));
  });

  test("follows turns of its own in a conversation that begins with their prompt", () => {
    const scenario = { turns, conversations: [{ prompt: "SUB", turns: [say("seven")] }] };
    expect(turnsFor(scenario, ["reminder", "do SUB work"])).toEqual({ turns: [say("seven")], name: "SUB" });
    expect(turnsFor(scenario, ["hello"])).toEqual({ turns, name: "" });
  });

  test("holds the run and members of the last tool's output where it asks for them", () => {
    const known = { run: 'C:\\a "b"', output: '{"agent_id":"a1"}' };
    expect(fillIn(say("in __RUN__: __OUTPUT.agent_id__"), known)).toEqual(say('in C:\\a "b": a1'));
    expect(fillIn(say("__OUTPUT.agent_id__"), { run: "", output: "no JSON" })).toEqual(say(""));
  });
});
