import { describe, expect, test } from "vitest";
import * as z from "zod";
import { checkToolInput, defineTool } from "../../../agent/index.ts";
import { readPayload } from "./tool-payload.ts";

const shell = defineTool<{ command: string; times?: number | undefined }>({
  name: "shell",
  aliases: [],
  responsibility: "Runs.",
  description: "Runs.",
  sourceHint: "here",
  input: z.strictObject({ command: z.string().min(1), times: z.number().optional() }),
  mainField: "command",
  readOnly: false,
  need: () => ({ kind: "nothing" }),
  subject: ({ command }) => command,
  run: async () => ({ output: "", isError: false }),
});

describe("a payload", () => {
  test.each([
    ["ls -l", { command: "ls -l" }],
    ['{"command":"ls","times":2}', { command: "ls", times: 2 }],
    [' {"command":"ls"}', { command: "ls" }],
    ['{"cmd":"ls"}', { command: "ls" }],
    ["{ echo hi; }", { command: "{ echo hi; }" }],
    ['["a"]', { command: '["a"]' }],
    ["null", { command: "null" }],
    ["{src,test}/**/*.ts", { command: "{src,test}/**/*.ts" }],
    ["{{name}}.md", { command: "{{name}}.md" }],
  ])("%s is the input %o", (payload, input) => {
    expect(readPayload(shell, payload, { checkToolInput })).toEqual(input);
  });

  test.each(['{"command":', '{"command": "ls"', "{'command': 'ls'}", "{command: ls}", '{"command":"ls"} more', "{"])(
    "'%s' is refused as broken JSON, and is no text",
    (payload) => {
      expect(() => readPayload(shell, payload, { checkToolInput })).toThrow(
        expect.objectContaining({
          code: "INVALID_FLAG_VALUE",
          target: "PAYLOAD",
          message: expect.stringMatching(/^PAYLOAD: it begins like a JSON object and is none: \S/) as string,
          hint: expect.stringContaining("claw show-tool shell") as string,
        }),
      );
    },
  );

  test.each(["", "  ", "{}", '{"command":1}', '{"command":"ls","colour":"red"}', '{"__proto__":{"command":"ls"}}'])(
    "'%s' is refused with what is wrong and what to do",
    (payload) => {
      expect(() => readPayload(shell, payload, { checkToolInput })).toThrow(
        expect.objectContaining({
          code: "INVALID_FLAG_VALUE",
          target: "PAYLOAD",
          hint: expect.stringContaining("claw show-tool shell") as string,
        }),
      );
    },
  );
});
