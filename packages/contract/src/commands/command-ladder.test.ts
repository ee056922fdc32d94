import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CommandStep } from "../events/families/system.ts";
import { COMMAND_STEPS } from "../events/families/system.ts";
import { EVIDENCE_KINDS } from "../workers/worker-words.ts";
import { COMMAND_WAITS, commandDeadline, isUrgent, URGENT_WAITS } from "./command-deadlines.ts";
import type { CommandLadder, Rung } from "./command-ladder.ts";
import {
  climb,
  ladderDeadline,
  FORWARD_STEPS,
  furthestStep,
  ladderEnded,
  isFinalStep,
  ladderRoute,
} from "./command-ladder.ts";

const BLANK: CommandLadder = {
  commandId: "c-1",
  targetPeerId: "p_000001",
  cmdTopic: "cmd.p_000001.abort",
  action: "abort",
  from: "p_000002",
  sequence: 7,
  rungs: [],
};

const rung = (step: CommandStep, more: Partial<Rung> = {}): Rung => ({
  step,
  at: 0,
  evidence: { kind: "sequence", value: 7 },
  route: null,
  deadline: null,
  ...(isFinalStep(step) ? { reason: "because" } : {}),
  ...more,
});

const after = (...steps: CommandStep[]): CommandLadder =>
  steps.reduce((ladder, step) => {
    const climbed = climb(ladder, rung(step));
    if (climbed.kind === "refused") throw new Error(`${step}: ${climbed.why}`);
    return climbed.ladder;
  }, BLANK);

const anyRung = fc.record({
  step: fc.constantFrom(...COMMAND_STEPS),
  at: fc.nat(),
  evidence: fc.option(fc.record({ kind: fc.constantFrom(...EVIDENCE_KINDS), value: fc.nat() })),
  route: fc.constantFrom("bus" as const, "terminal" as const, null),
  deadline: fc.option(fc.nat()),
  reason: fc.constantFrom("", "late"),
});

describe("a ladder", () => {
  test("is climbed step by step to its end", () => {
    const ladder = after(...FORWARD_STEPS);
    expect(ladder.rungs.map(({ step }) => step)).toEqual([...FORWARD_STEPS]);
    expect(ladderEnded(ladder)).toBe(true);
  });

  test("may leave steps out, and is never climbed twice, backwards or after its end", () => {
    const acked = after("accepted", "acked");
    expect(climb(acked, rung("acked"))).toEqual({ kind: "refused", why: "repeated" });
    expect(climb(acked, rung("injected"))).toEqual({ kind: "refused", why: "backwards" });
    for (const end of ["applied", "expired", "refused"] as const) {
      for (const step of COMMAND_STEPS) {
        expect(climb(after("accepted", end), rung(step))).toEqual({ kind: "refused", why: "ended" });
      }
    }
  });

  test("begins with its acceptance", () => {
    expect(climb(BLANK, rung("queued"))).toEqual({ kind: "refused", why: "begins_late" });
    expect(climb(BLANK, rung("refused")).kind).toBe("climbed");
  });

  test("wants evidence for a step forward, of a kind that can show it, and a reason for a bad end", () => {
    const ladder = after("accepted", "injected");
    expect(climb(ladder, rung("submitted", { evidence: null }))).toEqual({ kind: "refused", why: "no_evidence" });
    const offset = { evidence: { kind: "pty_offset", value: 12 } } as const;
    expect(climb(ladder, rung("submitted", offset)).kind).toBe("climbed");
    expect(climb(ladder, rung("acked", offset))).toEqual({ kind: "refused", why: "wrong_evidence" });
    expect(climb(ladder, rung("expired", { reason: "" }))).toEqual({ kind: "refused", why: "no_reason" });
  });

  test("says its route and deadline by its latest word", () => {
    const climbed = climb(after("accepted"), rung("queued", { route: "terminal", deadline: 30 }));
    const ladder = climbed.kind === "climbed" ? climbed.ladder : BLANK;
    expect([ladderRoute(ladder), ladderDeadline(ladder)]).toEqual(["terminal", 30]);
  });

  test("never breaks its own rules, whatever it is told", () => {
    fc.assert(
      fc.property(fc.array(anyRung, { maxLength: 30 }), (told) => {
        let ladder = BLANK;
        for (const each of told) {
          const climbed = climb(ladder, each);
          if (climbed.kind === "climbed") ladder = climbed.ladder;
        }
        const steps = ladder.rungs.map(({ step }) => step);
        expect(new Set(steps).size).toBe(steps.length);
        expect(steps.slice(0, -1).some(isFinalStep)).toBe(false);
        const forward = steps
          .flatMap((step) => FORWARD_STEPS.findIndex((each) => each === step))
          .filter((at) => at >= 0);
        expect(forward).toEqual(forward.toSorted((a, b) => a - b));
        const isShown = ({ step, evidence, reason }: Rung): boolean =>
          step === "expired" || step === "refused" ? reason === "late" : evidence !== null;
        expect(ladder.rungs.every(isShown)).toBe(true);
        expect(furthestStep(ladder)).toBe(steps.at(-1));
      }),
    );
  });
});

describe("the deadline of a step", () => {
  test("is there until the end, and shorter for what must not wait", () => {
    for (const step of COMMAND_STEPS) {
      const [plain, urgent] = [commandDeadline(step, 100, COMMAND_WAITS), commandDeadline(step, 100, URGENT_WAITS)];
      expect(plain === null).toBe(isFinalStep(step));
      expect(urgent ?? Infinity).toBeLessThanOrEqual(plain ?? Infinity);
    }
    expect(commandDeadline("accepted", 5, COMMAND_WAITS)).toBe(10_005);
  });

  test("is short for abort and pause alone", () => {
    expect(["abort", "pause", "resume", "inject_text"].map(isUrgent)).toEqual([true, true, false, false]);
  });
});
