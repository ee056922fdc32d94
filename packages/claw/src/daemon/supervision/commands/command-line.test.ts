import { describe, expect, test } from "vitest";
import { commandLine, isAnswer } from "./command-line.ts";
import type { OpenCommand } from "./command-memory.ts";

const commandOf = (action: string, data: Readonly<Record<string, unknown>>, correlationId: string | null = null) =>
  ({ ladder: { action, commandId: "c-1" }, data, correlationId }) as unknown as OpenCommand;

describe("what is typed for a command", () => {
  test("is a text as it is, and nothing for what is no text", () => {
    expect(commandLine(commandOf("inject_text", { text: "hello\nthere" }))).toBe("hello\nthere");
    expect(commandLine(commandOf("inject_text", { text: 7 }))).toBeNull();
    expect(commandLine(commandOf("inject_text", {}))).toBeNull();
  });

  test("names the question it answers, or else the command itself", () => {
    expect(commandLine(commandOf("abort", { reason: "enough" }))).toBe('[CLAWS_CMD r=c-1] abort: {"reason":"enough"}');
    expect(commandLine(commandOf("resume", {}, "r-1"))).toMatch(/^\[CLAWS_CMD r=r-1\] /);
  });

  test("has the payload of an answer by itself, and that of any other command as it is", () => {
    const answered = commandLine(commandOf("approve", { by: "me", payload: { chosen: "B" } }));
    expect(answered).toMatch(/: \{"by":"me","chosen":"B"\}$/);
    expect(commandLine(commandOf("approve", { payload: "B" }))).toMatch(/: \{"payload":"B"\}$/);
    expect(commandLine(commandOf("approve", { payload: ["B"] }))).toMatch(/: \{"payload":\["B"\]\}$/);
    expect(commandLine(commandOf("approve", { payload: null }))).toMatch(/: \{"payload":null\}$/);
    expect(commandLine(commandOf("approve", { by: "me" }))).toMatch(/: \{"by":"me"\}$/);
    const paused = commandLine(commandOf("pause", { payload: { chosen: "B" } }));
    expect(paused).toMatch(/: \{"payload":\{"chosen":"B"\}\}$/);
  });

  test.each([
    ["approve", true],
    ["reject", true],
    ["unblock", true],
    ["abort", false],
    ["inject_text", false],
  ])("is an answer that the worker waits for, or not: %s", (action, expected) => {
    expect(isAnswer(action)).toBe(expected);
  });
});
