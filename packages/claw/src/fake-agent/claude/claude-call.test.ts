import { describe, expect, test } from "vitest";
import { readClaudeCall } from "./claude-call.ts";

const read = (...argv: string[]): unknown => readClaudeCall(argv, { steps: [] }, false);

describe("a command line of claude", () => {
  test("is read with everything our adapter and its users give it", () => {
    const argv = ["-p", "do it", "--model", "opus", "--output-format", "stream-json", "--verbose"];
    const more = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash(git *),Read", "Edit"];
    expect(read(...argv, ...more, "--session-id", "s1", "--include-partial-messages")).toEqual({
      prompt: "do it",
      prints: true,
      settings: undefined,
      outputFormat: "stream-json",
      streamsInput: false,
      partialMessages: true,
      forwardsSubAgents: false,
      asks: false,
      model: "opus",
      resumes: false,
      sessionId: "s1",
      permissionMode: "acceptEdits",
      allowedTools: ["Bash(git *)", "Read", "Edit"],
    });
  });

  test("may be two-way", () => {
    const two = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    expect(read("-p", ...two, "--permission-prompt-tool", "stdio")).toMatchObject({ streamsInput: true, asks: true });
  });

  test.each([
    [["--version"], { to: "stdout", text: "2.1.325 (Claude Code)\n", code: 0 }],
    [["-p", "x", "--nonsense"], { to: "stderr", text: "error: unknown option '--nonsense'\n", code: 1 }],
    [
      ["-p", "x", "--output-format", "stream-json"],
      {
        to: "stderr",
        text: "Error: When using --print, --output-format=stream-json requires --verbose\n",
        code: 1,
      },
    ],
    [
      ["-p", "x", "--input-format", "stream-json"],
      { to: "stderr", text: "Error: --input-format=stream-json requires output-format=stream-json.\n", code: 1 },
    ],
    [
      ["-p", "x", "--output-format", "yaml"],
      {
        to: "stderr",
        text: "error: option '--output-format <format>' argument 'yaml' is invalid. Allowed choices are text, json, stream-json.\n",
        code: 1,
      },
    ],
    [["hello"], { to: "stderr", text: "claw fake-agent: without -p (--print) claude needs a terminal\n", code: 1 }],
  ])("is answered or refused in the words of the real one: %j", (argv, retort) => {
    expect(read(...argv)).toEqual(retort);
  });

  test("may have flags of a newer version when the scenario says so", () => {
    const scenario = { steps: [], unknown_flags: "accept" as const };
    expect(readClaudeCall(["-p", "x", "--brand-new"], scenario, false)).toMatchObject({ prompt: "x" });
  });
});
