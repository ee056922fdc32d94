import type { CommandLadder, CommandRoute } from "@claw/contract";
import type { CommandStep } from "@claw/contract/schemas";
import { describe, expect, test } from "vitest";
import type { StepWaits } from "./climber.ts";
import { expiresAt } from "./climber.ts";

const WAITS: StepWaits = {
  plain: { accepted: 10, queued: 100, injected: 50 },
  urgent: { accepted: 10, queued: 20, injected: 50 },
  input: { accepted: 10, queued: 300, injected: 300 },
};

const ladderAt = (step: CommandStep, deadline: number | null, more: Partial<CommandLadder> = {}): CommandLadder => ({
  commandId: "c",
  targetPeerId: "p_1",
  cmdTopic: "cmd.p_1.x",
  action: "inject_text",
  from: "p_0",
  sequence: 1,
  rungs: [{ step, at: 0, evidence: null, route: "terminal" satisfies CommandRoute, deadline }],
  ...more,
});

describe("the time of a command", () => {
  test("that waits for its worker begins anew with the server, and is never cut by that", () => {
    expect(expiresAt(ladderAt("queued", 120), 1000, WAITS)).toBe(1100);
    expect(expiresAt(ladderAt("accepted", 20), 1000, WAITS)).toBe(1010);
    expect(expiresAt(ladderAt("queued", 5000), 1000, WAITS)).toBe(5000);
  });

  test("that its worker was given is not counted anew", () => {
    expect(expiresAt(ladderAt("injected", 120), 1000, WAITS)).toBe(120);
    expect(expiresAt(ladderAt("submitted", 120), 1000, WAITS)).toBe(120);
  });

  test("depends on what it does and which way it takes", () => {
    expect(expiresAt(ladderAt("queued", 120, { action: "abort" }), 1000, WAITS)).toBe(1020);
    const rungs = [{ step: "queued", at: 0, evidence: null, route: "input", deadline: 120 }] as const;
    expect(expiresAt(ladderAt("queued", 120, { rungs }), 1000, WAITS)).toBe(1300);
  });

  test("without a deadline does not end", () => {
    expect(expiresAt(ladderAt("acked", null), 1000, WAITS)).toBe(Infinity);
  });
});
