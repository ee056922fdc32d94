import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { TOOL_ALIASES } from "../permissions/tool-names.ts";
import { checkToolInput, readToolInput } from "./read-tool-input.ts";
import { createTools, findTool, offerOf } from "./create-tools.ts";
import { openBench } from "./testing/tool-bench.ts";
import type { AnyTool } from "./tool.ts";

const PAGE = fileURLToPath(new URL("../../../../../docs/agent/tools.md", import.meta.url));
const open = (): readonly AnyTool[] => openBench(onTestFinished).tools;

function need(tools: readonly AnyTool[], name: string): AnyTool {
  const tool = findTool(tools, name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

describe("the tools", () => {
  test("are found by their names and aliases, in any case", () => {
    const tools = open();
    for (const { name } of tools) {
      const aliases = Object.entries(TOOL_ALIASES).find(([own]) => own === name)?.[1] ?? [];
      expect(aliases.length).toBeGreaterThan(0);
      for (const alias of [name, name.toUpperCase(), ...aliases, ...aliases.map((one) => one.toLowerCase())]) {
        expect(findTool(tools, alias)?.name).toBe(name);
      }
    }
    expect(findTool(tools, "nonsense")).toBeUndefined();
  });

  test("have a section in the page about them, and take a field of their schema in plain text", () => {
    const page = readFileSync(PAGE, "utf8");
    for (const tool of open()) {
      expect(tool.sourceHint).toBe(`docs/agent/tools.md#${tool.name}`);
      expect(page).toContain(`\n## ${tool.name}\n`);
      expect(Object.keys(offerOf(tool).inputSchema["properties"] as object)).toContain(tool.mainField);
    }
  });

  test("are offered with a schema of an object", () => {
    for (const tool of open()) {
      const { inputSchema } = offerOf(tool);
      expect(inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
      expect(inputSchema).not.toHaveProperty("$schema");
    }
  });

  test("may be more, none in the place of another", () => {
    const { deps } = openBench(onTestFinished);
    const [bash] = createTools(deps);
    if (bash === undefined) throw new Error("no tools");
    const extra = { ...bash, name: "mcp__x__y", aliases: [] };
    const tools = createTools(deps, [extra, { ...bash, responsibility: "other" }]);
    expect(tools.map(({ name }) => name)).toEqual([...createTools(deps).map(({ name }) => name), "mcp__x__y"]);
    expect(findTool(tools, "bash")?.responsibility).not.toBe("other");
  });
});

describe("the input of a call", () => {
  test("is read from JSON, under the names models use", () => {
    const tools = open();
    expect(readToolInput(need(tools, "read_file"), '{"file_path":"a"}')).toEqual({
      kind: "input",
      input: { path: "a" },
    });
    expect(readToolInput(need(tools, "read_file"), '{"path":"a","filePath":"b"}')).toEqual({
      kind: "input",
      input: { path: "a" },
    });
    const edit = { filePath: "a", oldString: "b", newString: "c", replaceAll: true };
    expect(checkToolInput(need(tools, "edit_file"), edit)).toEqual({
      kind: "input",
      input: { path: "a", old_string: "b", new_string: "c", replace_all: true },
    });
  });

  test.each(["", "{", "[]", "null", '"x"', "{}", '{"path":1}', '{"path":"a","offset":-1}', '{"path":"a","limit":"x"}'])(
    "that does not fit is told to the model: %s",
    (text) => {
      expect(readToolInput(need(open(), "read_file"), text)).toEqual({
        kind: "invalid",
        message: expect.stringContaining("read_file"),
      });
    },
  );

  test("holds nothing but its own fields, whatever else is in it", () => {
    const read = readToolInput(need(open(), "bash"), '{"command":"ls","__proto__":{"x":1},"constructor":2}');
    expect(read).toEqual({ kind: "input", input: { command: "ls" } });
  });
});
