import { expect, test } from "vitest";
import { LIMITS } from "../limits/limits.ts";
import { stateChangeOf, tellAt, workerViewOf } from "./worker-view.ts";
import { newWorker } from "./worker-record.ts";

const known = newWorker("p_1", 0);
const told = { state: "starting", reason: "", until: null, at: 100 } as const;

test("a new state is told at once, a new reason or end after a while, and what is known never", () => {
  expect(tellAt(known)).toBe(-Infinity);
  expect(tellAt({ ...known, told: { ...told, state: "working" } })).toBe(-Infinity);
  expect(tellAt({ ...known, told })).toBe(Infinity);
  expect(tellAt({ ...known, told: { ...told, reason: "else" } })).toBe(100 + LIMITS.stateReasonMs);
  expect(tellAt({ ...known, told: { ...told, until: 5 } })).toBe(100 + LIMITS.stateReasonMs);
});

test("what is told has the state before and its times", () => {
  const verdict = { ...known.verdict, until: 5 };
  expect(stateChangeOf({ ...known, verdict, told: { ...told, state: "working" } }, "now")).toEqual({
    peerId: "p_1",
    state: "starting",
    previous: "working",
    phase: null,
    reason: "",
    source: "server",
    as_of: "1970-01-01T00:00:00.000Z",
    until: "1970-01-01T00:00:00.005Z",
    evidence: null,
    ts: "now",
  });
  expect(stateChangeOf(known, "now")).toMatchObject({ previous: null, until: null });
});

test("a view has sums of all lives, dollars to the millionth, and times or none", () => {
  const worker = { ...known, tokens: { before: 1, current: 2 }, costUsd: { before: 0.1, current: 0.2 } };
  expect(workerViewOf({ ...worker, lastSeen: null, lastProgress: null })).toMatchObject({
    tokens: 3,
    cost_usd: 0.3,
    last_seen: null,
    last_progress: null,
    until: null,
    since: "1970-01-01T00:00:00.000Z",
  });
  expect(workerViewOf({ ...worker, costUsd: { before: 0, current: 0.000_001_4 } }).cost_usd).toBe(0.000_001);
});
