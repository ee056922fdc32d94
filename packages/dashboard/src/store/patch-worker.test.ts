import type { WorkerView } from "claw-contract";
import { newWorker, workerViewOf } from "claw-contract";
import { expect, test } from "vitest";
import { item } from "../testing/event-item.ts";
import { changesFleet, withVerdict } from "./patch-worker.ts";

const worker: WorkerView = workerViewOf(newWorker("p_1", 1000));
const state = (more: object) =>
  item("system.worker.state", {
    peerId: "p_1",
    state: "hung",
    reason: "no step",
    source: "clock",
    as_of: "2026-01-01T00:00:00.000Z",
    until: null,
    evidence: 3,
    ...more,
  });

test("a verdict of the server is shown at once", () => {
  expect(withVerdict(worker, state({}))).toEqual({
    ...worker,
    state: "hung",
    reason: "no step",
    source: "clock",
    as_of: "2026-01-01T00:00:00.000Z",
    evidence: 3,
  });
});

test.each([
  ["of another worker", state({ peerId: "p_2" })],
  ["with an unknown state", state({ state: "dancing" })],
  ["that is older", state({ as_of: "1969-01-01T00:00:00.000Z" })],
  ["without a time", state({ as_of: 5 })],
  ["of another peer", { ...state({}), from: "p_9" }],
])("a verdict %s changes nothing", (_what, event) => {
  expect(withVerdict(worker, event)).toBe(worker);
});

test("events of workers, approvals, budgets and peers may change the fleet", () => {
  const topics = ["worker.p.boot", "system.approval.opened", "system.budget.warning", "system.metrics", "cmd.p.pause"];
  expect(topics.map((topic) => changesFleet({ topic }))).toEqual([true, true, true, false, false]);
});
