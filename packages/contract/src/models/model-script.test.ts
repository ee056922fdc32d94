import { expect, test } from "vitest";
import { jsonSchema, jsonSchemaNames } from "../json-schemas.ts";
import { ModelScript } from "./model-script.ts";

test("a turn may be left empty, and alternatives may stand in its place", () => {
  const script = ModelScript.parse({ turns: [{}, [{ when: { tool_failed: true } }, { blocks: [] }]] });
  expect(script).toEqual({ turns: [{ blocks: [] }, [{ when: { tool_failed: true }, blocks: [] }, { blocks: [] }]] });
});

test.each([
  ["no turns", {}],
  ["a turn of nothing to choose from", { turns: [[]] }],
  ["a block of an unknown kind", { turns: [{ blocks: [{ type: "image" }] }] }],
  ["a tool without input", { turns: [{ blocks: [{ type: "tool", name: "bash" }] }] }],
  ["a wait for ever", { turns: [{ blocks: [{ type: "wait", ms: 1e12 }] }] }],
  ["a code that is none", { turns: [{ error: { code: "OOPS" } }] }],
  ["tokens below zero", { turns: [{ usage: { input_tokens: -1 } }] }],
])("%s is refused", (_name, script) => {
  expect(ModelScript.safeParse(script).success).toBe(false);
});

test("its form can be asked for", () => {
  expect(jsonSchemaNames()).toContain("model-script");
  expect(jsonSchema("model-script")).toMatchObject({ title: "model-script", required: ["turns"] });
});
