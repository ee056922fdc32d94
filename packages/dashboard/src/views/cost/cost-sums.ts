import type { ReportedSum, WorkerView } from "claw-contract";
import { nextSum } from "claw-contract/client";
import type { EventRow } from "../../store/event-row.ts";

/** A part of the cost: of one worker, model, fleet or hour. */
export interface CostSum {
  readonly name: string;
  readonly costUsd: number;
  /** Whether a part of the cost is estimated. */
  readonly isEstimate: boolean;
  readonly tokens: number;
  readonly workers: number;
}

/** Sums of cost and tokens by a word of each worker, the most expensive first. */
export function sumsBy(workers: readonly WorkerView[], wordOf: (worker: WorkerView) => string): readonly CostSum[] {
  const sums = new Map<string, CostSum>();
  for (const worker of workers) {
    const name = wordOf(worker);
    const known = sums.get(name) ?? { name, costUsd: 0, isEstimate: false, tokens: 0, workers: 0 };
    sums.set(name, {
      name,
      costUsd: known.costUsd + worker.cost_usd,
      isEstimate: known.isEstimate || worker.cost_estimated,
      tokens: known.tokens + worker.tokens,
      workers: known.workers + 1,
    });
  }
  return [...sums.values()].sort((a, b) => b.costUsd - a.costUsd || a.name.localeCompare(b.name));
}

/** Spending over time: for each step its start, its dollars, the estimated part of them, and the dollars until its end. */
export interface CostSteps {
  readonly starts: readonly number[];
  readonly spent: readonly number[];
  readonly estimated: readonly number[];
  readonly total: readonly number[];
}

/** A smaller amount is the rest of a calculation. */
export const LEAST_USD = 1e-9;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Steps are hours; a shorter time is shown by the minute. */
const SHORT_MS = 3 * HOUR_MS;
/** Most steps that the chart draws. */
const MOST_STEPS = 24 * 14;

export const stepOf = (from: number, to: number): number => (to - from < SHORT_MS ? MINUTE_MS : HOUR_MS);

/** A worker's life: its cost so far, and the steps to which estimates were added that the agent may still correct. */
interface Life {
  sum: ReportedSum;
  readonly guesses: { readonly place: number; usd: number }[];
}

/** Adds costs to steps. */
class Steps {
  readonly spent: number[];
  readonly estimated: number[];

  constructor(count: number) {
    this.spent = Array.from({ length: count }, () => 0);
    this.estimated = this.spent.map(() => 0);
  }

  add(place: number, usd: number, isEstimate: boolean): void {
    this.spent[place] = (this.spent[place] ?? 0) + usd;
    if (isEstimate) this.estimated[place] = (this.estimated[place] ?? 0) + usd;
  }

  /** A report replaces what was estimated before, up or down. */
  report({ sum: before, guesses }: Life, after: ReportedSum, place: number): void {
    const isEstimate = after.sure !== undefined;
    let more = after.current - before.current;
    for (let last = guesses.at(-1); more < 0 && last !== undefined; last = guesses.at(-1)) {
      const less = Math.min(-more, last.usd);
      this.add(last.place, -less, true);
      last.usd -= less;
      more += less;
      if (last.usd > 0) break;
      guesses.pop();
    }
    if (more > 0) this.add(place, more, isEstimate);
    if (more > 0 && isEstimate) guesses.push({ place, usd: more });
    if (isEstimate) return;
    for (const guess of guesses.splice(0)) this.estimated[guess.place] = (this.estimated[guess.place] ?? 0) - guess.usd;
  }
}

/** Whether an event tells what a worker costs, or that the worker begins anew. */
const tellsCost = ({ topic, kind, costUsd }: EventRow): boolean =>
  topic.startsWith("worker.")
    ? costUsd !== null || kind === "boot"
    : topic === "system.worker.terminated" && costUsd !== null;

/**
 * Spending by step, from the costs that workers told, and those of lives that were cut off. A worker that boots again
 * counts from nothing.
 */
export function costSteps(rows: readonly EventRow[], now: number): CostSteps {
  const costly = rows.filter(tellsCost);
  const first = costly[0]?.at ?? now;
  const step = stepOf(first, now);
  const begin = Math.max(Math.floor(first / step) - 1, Math.floor(now / step) - MOST_STEPS + 1);
  const steps = new Steps(Math.floor(now / step) - begin + 1);
  const lives = new Map<string, Life>();
  for (const { topic, worker, kind, costUsd, isEstimate, at } of costly) {
    const id = worker ?? "";
    const place = Math.max(0, Math.floor(at / step) - begin);
    const life = kind === "boot" ? undefined : lives.get(id);
    if (!topic.startsWith("worker.")) steps.add(place, Math.max(0, costUsd ?? 0), true);
    else {
      const { sum, guesses } = life ?? { sum: { current: 0 }, guesses: [] };
      const after = costUsd === null ? sum : nextSum(sum, costUsd, isEstimate);
      steps.report({ sum, guesses }, after, place);
      lives.set(id, { sum: after, guesses });
    }
  }
  const { spent, estimated } = steps;
  let sum = 0;
  const total = spent.map((each) => (sum += each));
  return { starts: spent.map((_, place) => (begin + place) * step), spent, estimated, total };
}
