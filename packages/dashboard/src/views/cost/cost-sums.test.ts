import type { WorkerView } from "claw-contract";
import { newWorker, workerViewOf } from "claw-contract";
import { expect, test } from "vitest";
import { eventRowOf } from "../../store/event-row.ts";
import { item } from "../../testing/event-item.ts";
import { costSteps, stepOf, sumsBy } from "./cost-sums.ts";

const MINUTE = 60_000;
const worker = (id: string, model: string, cost_usd: number, tokens: number): WorkerView => ({
  ...workerViewOf(newWorker(id, 1000)),
  model,
  cost_usd,
  tokens,
});

test("cost and tokens are summed by a word of each worker, the most expensive first", () => {
  const guessed = { ...worker("b", "large", 2, 20), cost_estimated: true };
  const workers = [worker("a", "small", 0.5, 10), guessed, worker("c", "small", 0.25, 5)];
  expect(sumsBy(workers, ({ model }) => model ?? "")).toEqual([
    { name: "large", costUsd: 2, isEstimate: true, tokens: 20, workers: 1 },
    { name: "small", costUsd: 0.75, isEstimate: false, tokens: 15, workers: 2 },
  ]);
});

const told = (at: number, id: string, cost_usd?: number) =>
  eventRowOf(item(`worker.${id}.${cost_usd === undefined ? "boot" : "heartbeat"}`, { cost_usd }, { storedAtMs: at }));

test("spending is what the costs of workers grew by; a new life counts from nothing", () => {
  const rows = [
    told(10 * MINUTE, "p_1", 0.5),
    told(10 * MINUTE + 5, "p_1", 0.75),
    told(11 * MINUTE, "p_2", 1),
    told(12 * MINUTE, "p_1"),
    told(12 * MINUTE + 5, "p_1", 0.25),
    told(12 * MINUTE + 9, "p_1", 0.25),
  ];
  expect(costSteps(rows, 12.5 * MINUTE)).toEqual({
    starts: [9, 10, 11, 12].map((minute) => minute * MINUTE),
    spent: [0, 0.75, 1, 0.25],
    estimated: [0, 0, 0, 0],
    total: [0, 0.75, 1.75, 2],
  });
});

const guessed = (at: number, id: string, cost_usd: number) =>
  eventRowOf(item(`worker.${id}.heartbeat`, { cost_usd, cost_estimated: true }, { storedAtMs: at }));
const killed = (at: number, peerId: string, cost_usd: number, from = "server") =>
  eventRowOf(item("system.worker.terminated", { peerId, unreported: { cost_usd } }, { storedAtMs: at, from }));

test("what a life that was cut off has spent counts, as estimated", () => {
  const rows = [
    told(10 * MINUTE, "p_1", 0.5),
    killed(11 * MINUTE, "p_1", 0.25),
    killed(11 * MINUTE, "p_1", 9, "p_1"),
    told(12 * MINUTE, "p_1"),
    told(12 * MINUTE + 5, "p_1", 0.125),
  ];
  expect(costSteps(rows, 12.5 * MINUTE)).toMatchObject({
    spent: [0, 0.5, 0.25, 0.125],
    estimated: [0, 0, 0.25, 0],
    total: [0, 0.5, 0.75, 0.875],
  });
});

test("the agent's figure replaces estimates, up or down, where they were made", () => {
  const rows = [guessed(10 * MINUTE, "p_1", 0.5), guessed(11 * MINUTE, "p_1", 1)];
  const steps = (figure: number) => costSteps([...rows, told(12 * MINUTE, "p_1", figure)], 12.5 * MINUTE);
  expect(costSteps(rows, 12.5 * MINUTE)).toMatchObject({ spent: [0, 0.5, 0.5, 0], estimated: [0, 0.5, 0.5, 0] });
  expect(steps(1.25)).toMatchObject({ spent: [0, 0.5, 0.5, 0.25], estimated: [0, 0, 0, 0] });
  expect(steps(0.75)).toMatchObject({ spent: [0, 0.5, 0.25, 0], estimated: [0, 0, 0, 0] });
  expect(steps(0.25)).toMatchObject({ spent: [0, 0.25, 0, 0], estimated: [0, 0, 0, 0], total: [0, 0.25, 0.25, 0.25] });
});

test("a longer time is shown by the hour, and no cost is one empty stretch", () => {
  expect([stepOf(0, 60 * MINUTE), stepOf(0, 600 * MINUTE)]).toEqual([MINUTE, 60 * MINUTE]);
  expect(costSteps([], 10 * MINUTE).spent).toEqual([0, 0]);
});
