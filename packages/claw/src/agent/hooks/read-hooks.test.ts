import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readHooks } from "./read-hooks.ts";

test("a command alone is for every tool; one in a group is for those the matcher names", () => {
  const { hooks, problems } = readHooks({
    PreToolUse: ["./check", { matcher: "bash|edit_file", hooks: [{ type: "command", command: "a", timeout: 1.5 }] }],
    Stop: [{ hooks: [{ command: "b" }, { command: "c", timeout: 1e9 }] }],
  });
  expect(problems).toEqual([]);
  expect(hooks).toEqual([
    { event: "PreToolUse", matcher: "*", command: "./check", timeoutMs: 60_000 },
    { event: "PreToolUse", matcher: "bash|edit_file", command: "a", timeoutMs: 1500 },
    { event: "Stop", matcher: "*", command: "b", timeoutMs: 60_000 },
    { event: "Stop", matcher: "*", command: "c", timeoutMs: 86_400_000 },
  ]);
});

test("what is no hook is named by its place, and the others hold", () => {
  const { hooks, problems } = readHooks({
    PreTool: ["a"],
    PostToolUse: "a",
    PreToolUse: [
      5,
      { matcher: 5, hooks: [] },
      { matcher: "x" },
      {
        hooks: [
          "x",
          { type: "http", command: "x" },
          { command: " " },
          { command: "a\0b" },
          { command: "x", timeout: 0 },
        ],
      },
      { hooks: [{ command: "good" }] },
    ],
  });
  expect(hooks.map(({ command }) => command)).toEqual(["good"]);
  expect(problems.map(({ kind, where }) => [kind, where])).toEqual([
    ["unknown_hook_event", "PreTool"],
    ["invalid_hooks_config", "PostToolUse"],
    ["invalid_hooks_config", "PreToolUse[0]"],
    ["invalid_hooks_config", "PreToolUse[1].matcher"],
    ["invalid_hooks_config", "PreToolUse[2].hooks"],
    ["invalid_hooks_config", "PreToolUse[3].hooks[0]"],
    ["invalid_hooks_config", "PreToolUse[3].hooks[1].type"],
    ["invalid_hooks_config", "PreToolUse[3].hooks[2].command"],
    ["invalid_hooks_config", "PreToolUse[3].hooks[3].command"],
    ["invalid_hooks_config", "PreToolUse[3].hooks[4].timeout"],
  ]);
});

test("no settings are no hooks, and anything else is read without throwing", () => {
  const { hooks, problems } = readHooks(undefined);
  expect([hooks, problems]).toEqual([[], []]);
  const configs = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom("PreToolUse", "Stop"), fc.jsonValue()));
  fc.assert(fc.property(configs, (config) => readHooks(config).hooks.every(({ command }) => command !== "")));
});
