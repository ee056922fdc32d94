import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TROUBLE_ACTIONS } from "../workers/worker-words.ts";
import type { TroubleFact, TroubleStep } from "./reduce-trouble.ts";
import { decideTrouble, reduceTrouble, RESTART_MOST_MS, RESTART_WINDOW_MS, restartPauseMs } from "./reduce-trouble.ts";
import type { TroubleRecord } from "./trouble-record.ts";
import { NO_TROUBLE, TROUBLES } from "./trouble-record.ts";

const action = fc.constantFrom(...TROUBLE_ACTIONS);
const choice = fc.record({ stale: action, hung: action, crash: action, restarts: fc.integer({ min: 0, max: 4 }) });

/** What happens to a worker, and how long nothing does. */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ trouble: fc.constantFrom(...TROUBLES) }) },
  {
    weight: 2,
    arbitrary: fc.record({ order: fc.constantFrom("told_to_pause", "told_to_resume", "ended", "reopened") }),
  },
  { weight: 2, arbitrary: fc.record({ paused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ byPerson: fc.constant(true) }) },
  { weight: 4, arbitrary: fc.record({ waitMs: fc.integer({ min: 0, max: 20 * 60_000 }) }) },
);
type Happening = {
  readonly trouble?: (typeof TROUBLES)[number];
  readonly order?: "told_to_pause" | "told_to_resume" | "ended" | "reopened";
  readonly paused?: boolean;
  readonly byPerson?: boolean;
  readonly waitMs?: number;
};

interface Taken {
  readonly step: TroubleStep;
  readonly record: TroubleRecord;
  readonly nowMs: number;
}

interface Life {
  readonly taken: Taken[];
  /** When a person started it. */
  readonly byPerson: number[];
  /** Every state it was in after everything that was due had been done. */
  readonly settled: TroubleRecord[];
}

/** Lets a worker live through it, and does what is decided. */
function live(happenings: readonly Happening[], chosen: TroubleRecord["choice"], maySpend: boolean): Life {
  const life: Life = { taken: [], byPerson: [], settled: [] };
  let [nowMs, sequence, pid] = [0, 0, 1];
  let record = reduceTrouble(NO_TROUBLE, { kind: "spawned", choice: chosen, pid });
  const tell = (fact: TroubleFact): void => void (record = reduceTrouble(record, fact));
  const start = (): void => tell({ kind: "spawned", choice: chosen, pid: (pid += 1) });
  const settle = (): void => {
    for (let step = decideTrouble(record, { nowMs, jitter: 0.5, maySpend }); step !== undefined;) {
      life.taken.push({ step, record, nowMs });
      if (step.kind === "restart") start();
      else tell(actedBy(step, record, nowMs));
      step = decideTrouble(record, { nowMs, jitter: 0.5, maySpend });
    }
    life.settled.push(record);
  };
  for (const each of happenings) {
    sequence += 1;
    nowMs += each.waitMs ?? 1;
    if (each.trouble !== undefined) tell({ kind: "trouble", trouble: each.trouble, sequence, pid: null });
    if (each.order !== undefined) tell({ kind: each.order });
    if (each.paused !== undefined) tell({ kind: "well", paused: each.paused, evidence: sequence });
    if (each.byPerson === true && record.open?.action !== "restart") {
      life.byPerson.push(nowMs);
      start();
    }
    settle();
  }
  return life;
}

function actedBy(step: Exclude<TroubleStep, { kind: "restart" }>, { open }: TroubleRecord, atMs: number): TroubleFact {
  const names = { nudge: "nudge", plan_restart: "restart", alert: "alert" } as const;
  return {
    kind: "acted",
    sequence: open?.sequence ?? -1,
    action: names[step.kind],
    dueMs: step.kind === "alert" ? null : step.dueMs,
    atMs,
    broken: step.kind === "alert" && step.broken,
  };
}

const lives = (check: (life: Life, restarts: number) => void): void =>
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 80 }), choice, fc.boolean(), (happenings, chosen, maySpend) =>
      check(live(happenings as Happening[], chosen, maySpend), chosen.restarts),
    ),
    { numRuns: 500 },
  );

describe("whatever happens to a worker", () => {
  test("it is started anew no more often than it may be within an hour, unless a person starts it", () => {
    lives(({ taken, byPerson }, restarts) => {
      const times = taken.filter(({ step }) => step.kind === "plan_restart").map(({ nowMs }) => nowMs);
      for (const [index, at] of times.entries()) {
        const since = Math.max(at - RESTART_WINDOW_MS, ...byPerson.filter((ms) => ms <= at));
        expect(times.slice(0, index + 1).filter((ms) => ms > since || ms === at).length).toBeLessThanOrEqual(restarts);
      }
    });
  });

  test("it is never started anew when it has ended, was told to stop or to pause, or may spend nothing", () => {
    lives(({ taken }) => {
      for (const { step, record } of taken) {
        if (step.kind !== "restart" && step.kind !== "plan_restart") continue;
        expect([record.ended, record.paused]).toEqual([false, false]);
      }
    });
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), choice, (happenings, chosen) => {
        const steps = live(happenings as Happening[], chosen, false).taken.map(({ step }) => step.kind);
        expect(new Set(steps).has("restart") || new Set(steps).has("nudge")).toBe(false);
      }),
    );
  });

  test("each trouble is answered once: with one action, and at most one call for help after it", () => {
    lives(({ taken }) => {
      const bySequence = new Map<number, string[]>();
      for (const { step, record } of taken) {
        const sequence = record.open?.sequence ?? -1;
        bySequence.set(sequence, [...(bySequence.get(sequence) ?? []), step.kind]);
      }
      for (const kinds of bySequence.values()) {
        const allowed = ["nudge", "plan_restart", "alert", "nudge,alert", "plan_restart,restart", "plan_restart,alert"];
        expect(allowed).toContain(kinds.join(","));
      }
    });
  });

  test("no trouble stays open without something being done about it, or somebody being called", () => {
    lives(({ settled }) => {
      for (const { open, ended } of settled) expect(open === null || ended || open.action !== null).toBe(true);
    });
  });

  test("a breaker that has opened stays open until a person starts the worker", () => {
    lives(({ taken, byPerson }) => {
      for (const [index, { step, nowMs }] of taken.entries()) {
        if (step.kind !== "alert" || !step.broken) continue;
        const until = Math.min(Infinity, ...byPerson.filter((ms) => ms >= nowMs));
        const later = taken.slice(index + 1).filter((each) => each.nowMs < until);
        expect(later.filter((each) => each.step.kind === "plan_restart")).toEqual([]);
      }
    });
  });
});

test("pauses double up to five minutes, and jitter only adds to them", () => {
  expect([0, 1, 2, 3].map((count) => restartPauseMs(count, 0))).toEqual([1000, 2000, 4000, 8000]);
  expect(restartPauseMs(1000, 0)).toBe(RESTART_MOST_MS);
  expect(restartPauseMs(0, 1)).toBe(1250);
});
