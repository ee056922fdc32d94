import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelScriptText } from "claw-contract/schemas";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import type { PlotTurn } from "../provider.conformance.ts";
import { describeProvider } from "../provider.conformance.ts";
import { createScriptedProvider } from "./scripted.ts";
import { ask, assistant, call, failureOf, result, user } from "../testing/ask.ts";

const folder = temporaryFolder(afterAll);

const names = (function* numbered() {
  for (let number = 0; ; number += 1) yield `script-${number}.json`;
})();

/** A provider, and the model that plays this script. */
async function open(script: ModelScriptText | string) {
  const name = names.next().value;
  await writeFile(join(folder, name), typeof script === "string" ? script : JSON.stringify(script));
  return { provider: createScriptedProvider({ cwd: folder }), model: `scripted:${name}` };
}

const text = (said: string) => ({ type: "text" as const, text: said });

function turnOf(turn: PlotTurn): ModelScriptText["turns"][number] {
  if (turn === "echo-result") return { blocks: [text("{{tool_result}}")] };
  if (turn === "hangs") return { blocks: [text("begun"), { type: "wait", ms: 10_000_000 }] };
  if ("fails" in turn) return { error: { code: turn.fails } };
  const { blocks, usage, stop } = turn;
  return {
    blocks: blocks.map((block) =>
      block.kind === "tool"
        ? { type: "tool", name: block.name, input: block.inputText ?? block.input }
        : { type: block.kind, text: block.text },
    ),
    ...(usage === undefined ? {} : { usage }),
    ...(stop === undefined ? {} : { stop_reason: stop }),
  };
}

describeProvider("a script", (turns) => open({ turns: turns.map(turnOf) }));

describe("the model `scripted`", () => {
  test("answers with the last thing it was asked", async () => {
    const provider = createScriptedProvider({ cwd: folder });
    const messages = [user("one"), assistant(text("one")), user("two\nlines")];
    const { answer } = await ask(provider, { model: "scripted", messages });
    expect(answer.blocks).toEqual([text("two\nlines")]);
    expect(answer.usage.input_tokens).toBeGreaterThan(0);
  });
});

describe("a script", () => {
  test("goes on where the conversation is, and repeats its last turn", async () => {
    const { provider, model } = await open({ turns: [{ blocks: [text("one")] }, { blocks: [text("two")] }] });
    const said = async (turns: number) => {
      const past = Array.from({ length: turns }, () => [assistant(text("…")), user("go on")]).flat();
      return (await ask(provider, { model, messages: [user("hello"), ...past] })).answer.blocks;
    };
    expect([await said(0), await said(1), await said(5)]).toEqual([[text("one")], [text("two")], [text("two")]]);
  });

  test("branches by what a tool gave", async () => {
    const { provider, model } = await open({
      turns: [
        { blocks: [{ type: "tool", id: "t1", name: "bash", input: { command: "npm test" } }] },
        [
          { when: { tool_failed: true }, blocks: [text("It did not run.")] },
          { when: { tool_result_contains: "1 failed" }, blocks: [text("Red: {{tool_result}}")] },
          { blocks: [text("Green.")] },
        ],
      ],
    });
    const said = async (output: string, failed = false) => {
      const messages = [user("test it"), assistant(call("t1", "bash")), result("t1", output, failed)];
      return (await ask(provider, { model, messages })).answer.blocks;
    };
    expect(await said("1 failed")).toEqual([text("Red: 1 failed")]);
    expect(await said("all passed")).toEqual([text("Green.")]);
    expect(await said("1 failed", true)).toEqual([text("It did not run.")]);
  });

  test("fills in what is known anywhere in an input, and nothing twice", async () => {
    const input = { path: "{{tool_result}}", deep: [{ text: "{{prompt}}!" }] };
    const { provider, model } = await open({ turns: [{ blocks: [{ type: "tool", name: "write_file", input }] }] });
    const messages = [user("{{tool_result}}"), assistant(call("t1")), result("t1", "{{prompt}}")];
    const { answer } = await ask(provider, { model, messages });
    const [block] = answer.blocks;
    expect(JSON.parse(block?.type === "tool_use" ? block.input : "")).toEqual({
      path: "{{prompt}}",
      deep: [{ text: "{{tool_result}}!" }],
    });
  });

  test("says how long to wait after a failure", async () => {
    const { provider, model } = await open({
      turns: [{ error: { code: "RATE_LIMIT_EXCEEDED", message: "slowly", retry_after_ms: 1500 } }],
    });
    expect(await failureOf(provider, { model })).toMatchObject({ message: "slowly", options: { retryAfterMs: 1500 } });
  });

  test("that fits no alternative says so", async () => {
    const { provider, model } = await open({ turns: [[{ when: { prompt_contains: "never" }, blocks: [] }]] });
    const failure = await failureOf(provider, { model });
    expect(failure.code).toBe("MODEL_SCRIPT_INVALID");
    expect(failure.message).toContain("none of the alternatives of turn 0 fits");
  });

  test.each([
    ["no JSON", "{", "it is not JSON"],
    ["no object", "[]", "Invalid input"],
    ["without turns", '{"turns":[]}', "turns: "],
    ["with an unknown field", '{"turns":[{"txet":"a"}]}', "turns[0]"],
    ["with an unknown error", '{"turns":[{"error":{"code":"NOPE"}}]}', "turns[0]"],
  ])("%s is refused with its place", async (_name, script, place) => {
    const { provider, model } = await open(script);
    const failure = await failureOf(provider, { model });
    expect([failure.code, failure.hint]).toEqual(["MODEL_SCRIPT_INVALID", expect.stringContaining("model-script")]);
    expect(failure.message).toContain(place);
  });

  test.each(["scripted:nowhere.json", "scripted:../nowhere/at/all.json"])("%s is not found", async (model) => {
    const failure = await failureOf(createScriptedProvider({ cwd: folder }), { model });
    expect(failure.code).toBe("MODEL_SCRIPT_NOT_FOUND");
  });

  test("that is a folder is none", async () => {
    const failure = await failureOf(createScriptedProvider({ cwd: folder }), { model: "scripted:" });
    expect(failure.code).toBe("MODEL_SCRIPT_INVALID");
  });
});
