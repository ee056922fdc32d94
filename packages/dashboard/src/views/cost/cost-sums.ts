import type { WorkerView } from "claw-contract";
import type { EventRow } from "../../store/event-row.ts";

/** A part of the cost, and what it is the cost of. */
export interface CostSum {
  readonly name: string;
  readonly costUsd: number;
  readonly tokens: number;
  readonly workers: number;
}

/** Sums of cost and tokens by a word of each worker, the most expensive first. */
export function sumsBy(workers: readonly WorkerView[], wordOf: (worker: WorkerView) => string): readonly CostSum[] {
  const sums = new Map<string, CostSum>();
  for (const worker of workers) {
    const name = wordOf(worker);
    const known = sums.get(name) ?? { name, costUsd: 0, tokens: 0, workers: 0 };
    sums.set(name, {
      name,
      costUsd: known.costUsd + worker.cost_usd,
      tokens: known.tokens + worker.tokens,
      workers: known.workers + 1,
    });
  }
  return [...sums.values()].sort((a, b) => b.costUsd - a.costUsd || a.name.localeCompare(b.name));
}

/** Spending over time: for each step its start, what was spent in it, and all that was spent until its end. */
export interface CostSteps {
  readonly starts: readonly number[];
  readonly spent: readonly number[];
  readonly total: readonly number[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Steps are hours; a shorter time is shown by the minute. */
const SHORT_MS = 3 * HOUR_MS;
/** Steps that are drawn. */
const MOST_STEPS = 24 * 14;

export const stepOf = (from: number, to: number): number => (to - from < SHORT_MS ? MINUTE_MS : HOUR_MS);

/** Spending by step, from the costs that workers told. A worker that boots again counts from nothing. */
export function costSteps(rows: readonly EventRow[], now: number): CostSteps {
  const costly = rows.filter(
    ({ costUsd, topic, kind }) => topic.startsWith("worker.") && (costUsd !== null || kind === "boot"),
  );
  const first = costly[0]?.at ?? now;
  const step = stepOf(first, now);
  const begin = Math.max(Math.floor(first / step) - 1, Math.floor(now / step) - MOST_STEPS + 1);
  const count = Math.floor(now / step) - begin + 1;
  const spent = Array.from({ length: count }, () => 0);
  const lives = new Map<string, number>();
  for (const { worker, kind, costUsd, at } of costly) {
    const id = worker ?? "";
    const before = kind === "boot" ? 0 : (lives.get(id) ?? 0);
    const after = Math.max(before, costUsd ?? 0);
    lives.set(id, after);
    const place = Math.max(0, Math.floor(at / step) - begin);
    spent[place] = (spent[place] ?? 0) + after - before;
  }
  let sum = 0;
  const total = spent.map((each) => (sum += each));
  return { starts: spent.map((_, place) => (begin + place) * step), spent, total };
}
