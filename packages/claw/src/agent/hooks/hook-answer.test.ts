import { LIMITS } from "claw-contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { combine, NO_VERDICT, readHookEnd } from "./hook-answer.ts";
import type { HookEvent } from "./hooks.ts";
import { HOOK_EVENTS } from "./hooks.ts";

const exit = (code: number, stdout: unknown = "", stderr = "") => ({
  kind: "exited" as const,
  code,
  stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout),
  stderr,
});

const read = (end: ReturnType<typeof exit>, event: HookEvent = "PreToolUse") => readHookEnd(event, end, "the hook");

const broken = { kind: "failed", why: "did not start: ENOENT" } as const;

describe("an exit", () => {
  test("of 0 without output says nothing", () => {
    expect(read(exit(0, " \n"))).toEqual(NO_VERDICT);
  });

  test("of 2 refuses, with what it wrote to stderr, or else to stdout, as the reason", () => {
    const reasons = [exit(2, "out", " err "), exit(2, "out"), exit(2)].map((end) => read(end).blocked);
    expect(reasons).toEqual(["err", "out", "the hook refused it"]);
    expect(HOOK_EVENTS.map((event) => read(exit(2, "", "no"), event).blocked)).toEqual(HOOK_EVENTS.map(() => "no"));
  });

  test("of anything else is a failure, which blocks before a tool and is told of otherwise", () => {
    expect(read(exit(1, "", "oops"))).toEqual({ ...NO_VERDICT, blocked: "the hook failed: exit 1: oops" });
    expect(readHookEnd("PreToolUse", broken, "the hook").blocked).toBe("the hook did not start: ENOENT");
    for (const event of HOOK_EVENTS.filter((name) => name !== "PreToolUse")) {
      expect(read(exit(127), event)).toEqual({ ...NO_VERDICT, messages: ["the hook failed: exit 127"] });
      expect(readHookEnd(event, broken, "the hook").blocked).toBeNull();
    }
  });
});

describe("an answer", () => {
  test.each([
    [{ continue: false }, "a hook refused it"],
    [{ continue: false, stopReason: "enough" }, "enough"],
    [{ decision: "block", reason: "not on Fridays" }, "not on Fridays"],
    [{ continue: true }, null],
    [{ decision: "approve" }, null],
    [{ continue: "false", decision: ["block"], reason: 5 }, null],
  ])("%j refuses with %j", (answer, blocked) => {
    expect(read(exit(0, answer)).blocked).toBe(blocked);
  });

  test("at the end of a turn lets it go on only when it says block", () => {
    expect(read(exit(0, { continue: false }), "Stop").blocked).toBeNull();
    expect(read(exit(0, { decision: "block", reason: "run the tests" }), "Stop").blocked).toBe("run the tests");
  });

  test("can change the input, decide about permission and say things", () => {
    const answer = {
      systemMessage: "for people",
      hookSpecificOutput: {
        additionalContext: "for the model",
        permissionDecision: "ask",
        permissionDecisionReason: "looks dear",
        updatedInput: { command: "ls" },
      },
    };
    expect(read(exit(0, answer))).toEqual({
      blocked: null,
      permission: { decision: "ask", reason: "looks dear" },
      updatedInput: { command: "ls" },
      context: ["for the model"],
      messages: ["for people"],
    });
    expect(read(exit(0, answer), "PostToolUse")).toEqual({
      ...NO_VERDICT,
      context: ["for the model"],
      messages: ["for people"],
    });
  });

  test("about permission that makes no sense leaves it to a person", () => {
    const { permission, messages } = read(exit(0, { hookSpecificOutput: { permissionDecision: "maybe" } }));
    expect([permission?.decision, messages[0]]).toEqual(["ask", expect.stringMatching(/^hook_invalid_json: /)]);
  });

  test("that is half JSON is reported, and not repeated", () => {
    const { messages, blocked } = read(exit(0, '{"decision": "blo'));
    expect([messages, blocked]).toEqual([
      ["hook_invalid_json: the output of a hook for PreToolUse begins like JSON, and it does not parse"],
      null,
    ]);
  });

  test("that is plain text is for people, and for the model when a session starts", () => {
    expect(read(exit(0, "hello\n"))).toEqual({ ...NO_VERDICT, messages: ["hello"] });
    expect(read(exit(0, "use tabs\n"), "SessionStart")).toEqual({ ...NO_VERDICT, context: ["use tabs"] });
  });

  test("of any length is bounded", () => {
    const text = "x".repeat(LIMITS.hookTextChars * 2);
    const said = [read(exit(2, "", text)).blocked, read(exit(0, text)).messages[0], read(exit(1, text)).blocked];
    expect(said.every((part) => part !== null && part !== undefined && part.length < LIMITS.hookTextChars + 100)).toBe(
      true,
    );
  });

  test("of any shape is read without throwing", () => {
    const members = fc.record(
      {
        continue: fc.jsonValue(),
        decision: fc.jsonValue(),
        reason: fc.jsonValue(),
        systemMessage: fc.jsonValue(),
        hookSpecificOutput: fc.oneof(
          fc.jsonValue(),
          fc.record({ permissionDecision: fc.jsonValue(), updatedInput: fc.jsonValue() }),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(members, fc.constantFrom(...HOOK_EVENTS), (answer, event) => {
        const { blocked, messages, context } = read(exit(0, answer), event);
        expect([...messages, ...context, blocked ?? ""].every((text) => typeof text === "string")).toBe(true);
      }),
    );
  });
});

test("of several hooks the strictest decision and the last input hold, and all they say is kept", () => {
  const allow = { decision: "allow", reason: "a" } as const;
  const deny = { decision: "deny", reason: "d" } as const;
  const first = { ...NO_VERDICT, permission: deny, updatedInput: { a: 1 }, context: ["1"], messages: ["m"] };
  const second = { ...NO_VERDICT, blocked: "no", permission: allow, updatedInput: { a: 2 }, context: ["2"] };
  expect(combine(first, second)).toEqual({
    blocked: "no",
    permission: deny,
    updatedInput: { a: 2 },
    context: ["1", "2"],
    messages: ["m"],
  });
  expect(combine(second, first)).toMatchObject({ permission: deny, updatedInput: { a: 1 } });
  expect(combine(first, NO_VERDICT)).toEqual(first);
});
