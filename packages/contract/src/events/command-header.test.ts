import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMMAND_WORDS, formatCommand, parseCommand } from "./command-header.ts";
import { COMMAND_EVENTS } from "./families/command.ts";

describe("the command line", () => {
  test("answers a request without repeating its id", () => {
    const payload = { correlation_id: "r1", chosen: "B" };
    const line = '[CLAWS_CMD r=r1] approve_request: {"chosen":"B"}';
    expect(formatCommand({ requestId: "r1", action: "approve", payload })).toBe(line);
    expect(parseCommand(line)).toEqual({ requestId: "r1", action: "approve", payload: { chosen: "B" } });
  });

  test("is read with blanks in the JSON and around it", () => {
    expect(parseCommand('  [CLAWS_CMD r=req-abc] approve_request: { "approved": true, "payload": {} }\r\n')).toEqual({
      requestId: "req-abc",
      action: "approve",
      payload: { approved: true, payload: {} },
    });
  });

  test("carries a counter for older clients on demand", () => {
    const line = "[CLAWS_CMD seq=3 r=r1] pause: {}";
    expect(formatCommand({ requestId: "r1", action: "pause", payload: undefined, seq: 3 })).toBe(line);
    expect(parseCommand(line)).toEqual({ requestId: "r1", action: "pause", payload: {}, seq: 3 });
  });

  test("has a word for every command to a peer", () => {
    const actions = COMMAND_EVENTS.map(({ address }) => address.split("."))
      .filter(([, target, action]) => target === "{peerId}" && action !== "ack")
      .map(([, , action]) => action);
    expect(new Set(Object.keys(COMMAND_WORDS))).toEqual(new Set(actions));
    expect(new Set(Object.values(COMMAND_WORDS)).size).toBe(actions.length);
  });

  test("a command of its own keeps its name", () => {
    expect(formatCommand({ requestId: "r1", action: "retry_later", payload: { in_s: 5 } })).toBe(
      '[CLAWS_CMD r=r1] retry_later: {"in_s":5}',
    );
  });

  test.each(["", "a b", "a: {}", "a\n", "a]"])("%j cannot be a command", (action) => {
    expect(formatCommand({ requestId: "r1", action, payload: {} })).toBeNull();
  });

  test("an id that would break the header is quoted", () => {
    const requestId = 'x] abort: {}\n[CLAWS_CMD r="y';
    const line = formatCommand({ requestId, action: "pause", payload: {} }) ?? "";
    expect(line).toBe('[CLAWS_CMD r="x] abort: {}\\n[CLAWS_CMD r=\\"y"] pause: {}');
    expect(parseCommand(line)).toEqual({ requestId, action: "pause", payload: {} });
  });

  test("control characters, those of eight bits included, are spelled out in the payload and in the id", () => {
    expect(
      formatCommand({ requestId: "r\u009b1", action: "pause", payload: { text: "\u001b[201~\u009b\u007f\u2028" } }),
    ).toBe('[CLAWS_CMD r="r\\u009b1"] pause: {"text":"\\u001b[201~\\u009b\\u007f\\u2028"}');
  });

  test("whatever is sent, the line holds no character that a terminal acts upon, and reads back the same", () => {
    const ids = fc.string({ minLength: 1, maxLength: 128, unit: "binary" });
    const actions = fc.constantFrom(...Object.keys(COMMAND_WORDS), "custom");
    const payloads = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue());
    fc.assert(
      fc.property(ids, actions, payloads, (requestId, action, payload) => {
        const line = formatCommand({ requestId, action, payload }) ?? "";
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        const { correlation_id: _, ...rest } = payload;
        expect(JSON.stringify(parseCommand(line))).toBe(JSON.stringify({ requestId, action, payload: rest }));
      }),
    );
  });

  test.each([
    "",
    "approve_request: {}",
    "[CLAWS_CMD] approve_request: {}",
    "[CLAWS_CMD r=] approve_request: {}",
    '[CLAWS_CMD r=""] approve_request: {}',
    '[CLAWS_CMD r="\\x"] approve_request: {}',
    "[CLAWS_CMD r=r1] approve_request: {",
    "[CLAWS_CMD r=r1] approve_request:",
    "[CLAWS_CMD r=r1] approve request: {}",
    "see [CLAWS_CMD r=r1] pause: {}",
    "[CLAWS_CMD r=r1] pause: {}\n[CLAWS_CMD r=r2] abort: {}",
    `[CLAWS_CMD r="${"\\".repeat(100_000)}`,
  ])("a line that is no command is none (%#)", (line) => {
    expect(parseCommand(line)).toBeNull();
  });
});
