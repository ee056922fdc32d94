import { expect, test } from "vitest";
import { judgeWorker } from "./judge-worker.ts";
import type { WorkerRecord } from "./worker-record.ts";
import { newWorker } from "./worker-record.ts";

const cause = (text: string) => ({ text, source: "self", at: 0, sequence: 3 }) as const;
const found = (state: string, reason: string, more = {}) => ({
  state,
  reason,
  source: "self",
  until: null,
  evidence: 3,
  ...more,
});
const CLOCK = { source: "clock", evidence: 3 };

/** Holds every reason there is; each test takes the strongest away. */
const ALL: WorkerRecord = {
  ...newWorker("p_1", 0),
  ending: { ...cause("end"), state: "failed" },
  paused: cause("pause"),
  questions: [{ ...cause("which?"), requestId: "r1", approvalId: null }],
  prompt: cause("prompt"),
  parked: { ...cause("limit"), until: 9 },
  isSilent: true,
  blocked: cause("block"),
  unclear: cause("who knows"),
  isHung: true,
  work: cause("work"),
};

test("of all that holds, the strongest is said", () => {
  const steps: [Partial<WorkerRecord>, unknown][] = [
    [{}, found("failed", "end")],
    [{ ending: null }, found("paused", "pause; it has asked something; nothing is heard of it")],
    [{ paused: null }, found("needs_input", "which?; nothing is heard of it")],
    [{ questions: [] }, found("needs_input", "prompt; nothing is heard of it")],
    [{ prompt: null }, found("rate_limited", "limit; nothing is heard of it", { until: 9 })],
    [{ parked: { ...cause("limit"), until: null } }, found("stale", "nothing is heard of it", CLOCK)],
    [{ parked: null }, found("stale", "nothing is heard of it", CLOCK)],
    [{ isSilent: false }, found("blocked", "block")],
    [{ blocked: null }, found("unknown", "who knows")],
    [{ unclear: null }, found("hung", "it is there, but its work comes no further", CLOCK)],
    [{ isHung: false }, found("starting", "work")],
    [{ isSignalling: true }, found("working", "work")],
    [{ work: null }, found("working", "it has begun, as far as is known", { source: "clock", evidence: null })],
  ];
  for (const [index, [, finding]] of steps.entries()) {
    const worker = Object.assign({}, ALL, ...steps.slice(0, index + 1).map(([change]) => change)) as WorkerRecord;
    expect(judgeWorker(worker)).toEqual(finding);
  }
});

test("a limit without an end holds while the worker is heard of, and several questions are counted", () => {
  const quiet = { ...newWorker("p_1", 0), parked: { ...cause("limit"), until: null } };
  expect(judgeWorker(quiet)).toEqual(found("rate_limited", "limit"));
  const [question] = ALL.questions;
  const questions = question === undefined ? [] : [question, question, question];
  expect(judgeWorker({ ...quiet, questions })).toEqual(found("needs_input", "which? (and 2 more)"));
  expect(judgeWorker({ ...quiet, paused: cause("pause") })).toEqual(found("paused", "pause"));
});

test.each([
  [{}, "starting"],
  [{ phase: "PLAN" }, "working"],
  [{ phase: "PLAN", isSpawned: true }, "starting"],
  [{ phase: "SPAWN", isSpawned: true }, "starting"],
  [{ phase: "OBSERVE", isSpawned: true }, "working"],
  [{ isSignalling: true, isSpawned: true }, "starting"],
  [{ isSignalling: true, isSpawned: true, turn: "running" }, "working"],
  [{ isSignalling: true, isSpawned: true, turn: "ended", phase: "PLAN" }, "working"],
] as const)("one with %o is %s", (change, state) => {
  expect(judgeWorker({ ...newWorker("p_1", 0), ...change }).state).toBe(state);
});
