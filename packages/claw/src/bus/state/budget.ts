import type { ReportedSum } from "claw-contract";
import { nextSum, nonEmptyText, numberOf } from "claw-contract";
import type { CommittedEvent, StoredProjection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";
import { refill } from "./projection.ts";

export interface BudgetLimits {
  /** A warning is given once for each of these that the cost crosses. */
  readonly thresholdsUsd: readonly number[];
  /** From this cost on, the bus refuses every action that spends money. */
  readonly capUsd?: number;
  /** ISO time; what was spent before it does not count. */
  readonly since?: string;
}

/** The cost of all workers. A worker reports its sum since boot; each boot starts a new sum. */
export interface Budget extends StoredProjection {
  readonly limits: BudgetLimits;
  spentUsd(): number;
  /** The thresholds crossed since last asked; each is named once, restarts included. */
  takeCrossed(): readonly number[];
  /** Called when the warning could not be stored: the threshold is named again. */
  giveBack(threshold: number): void;
}

const TERMINATED = "system.worker.terminated";

const PATTERNS = [
  "worker.*.heartbeat",
  "worker.*.boot",
  "worker.*.complete",
  "system.gate.fired",
  "system.budget.warning",
  TERMINATED,
];

/** Cost of one worker: the sum since its last boot, and `before` for all earlier boots. */
interface Cost extends ReportedSum {
  readonly before: number;
}

interface Saved {
  readonly costs: readonly [worker: string, cost: Cost][];
  readonly told: readonly number[];
  readonly spent: number;
}

/** The cost since the worker's boot, as the event reports; undefined when no cost is reported. */
function costIn(topic: string, payload: unknown): number | undefined {
  const { cost_usd: reported, total_cost_usd: total } = fieldsOf(payload);
  return numberOf(topic.endsWith(".complete") ? total : reported);
}

/** The worker whose cost an event tells; undefined when it tells none. */
function workerOf({ topic, from, payload }: CommittedEvent): string | undefined {
  if (topic.startsWith("worker.")) return topic.split(".")[1];
  return topic === TERMINATED && from === "server" ? nonEmptyText(fieldsOf(payload)["peerId"]) : undefined;
}

/** Cost that the worker's life could not report before its end. */
const unreportedIn = (payload: unknown): number =>
  Math.max(0, numberOf(fieldsOf(fieldsOf(payload)["unreported"])["cost_usd"]) ?? 0);

/** Cost of a worker after an event about the worker. */
function costAfter(last: Cost, topic: string, payload: unknown): Cost {
  if (topic === TERMINATED) return { ...last, before: last.before + unreportedIn(payload) };
  // Also for a refused `boot`: the new process counts its cost from zero.
  if (topic.endsWith(".boot")) return { before: last.before + last.current, current: 0 };
  const cost = costIn(topic, payload);
  return cost === undefined ? last : nextSum(last, cost, fieldsOf(payload)["cost_estimated"] === true);
}

/** The topic of the event that a gate refused; undefined when the gate refused no event. */
export const refusedTopic = ({ from, payload }: Pick<CommittedEvent, "from" | "payload">): string | undefined =>
  from === "server" ? nonEmptyText(fieldsOf(payload)["topic"]) : undefined;

/** The workspace threshold that a warning is about; undefined for a warning about any other limit. */
function warnedOf(payload: unknown): number | undefined {
  const { threshold_usd: threshold, scope = "workspace" } = fieldsOf(payload);
  return scope === "workspace" ? numberOf(threshold) : undefined;
}

export function createBudget(limits: BudgetLimits): Budget {
  const costs = new Map<string, Cost>();
  /** `told`: thresholds with a warning in the log. `warned`: thresholds with a warning that this process has sent. */
  const told = new Set<number>();
  const warned = new Set<number>();
  let spent = 0;
  const take = (worker: string, topic: string, payload: unknown): void => {
    const last = costs.get(worker) ?? { before: 0, current: 0 };
    const next = costAfter(last, topic, payload);
    if (next === last) return;
    spent += next.before + next.current - last.before - last.current;
    // Most workers cost nothing until they say so (bench growth, "memory after a start").
    if (next.before === 0 && next.current === 0) costs.delete(worker);
    else costs.set(worker, next);
  };
  return {
    limits,
    patterns: PATTERNS,
    apply: (event) => {
      const { topic, payload, from } = event;
      if (limits.since !== undefined && event.tsServer < limits.since) return;
      const about = workerOf(event);
      if (about !== undefined) return take(about, topic, payload);
      const boot = topic === "system.gate.fired" ? refusedTopic(event) : undefined;
      if (boot?.endsWith(".boot") === true) return take(boot.split(".")[1] ?? "", boot, payload);
      const threshold = from === "server" ? warnedOf(payload) : undefined;
      if (threshold !== undefined) told.add(threshold);
    },
    save: (): Saved => ({ costs: [...costs], told: [...told], spent }),
    load: (saved) => {
      const known = saved as Saved;
      refill(costs, known.costs);
      known.told.forEach((threshold) => told.add(threshold));
      spent = known.spent;
    },
    spentUsd: () => spent,
    giveBack: (threshold) => void warned.delete(threshold),
    takeCrossed: () => {
      const known = new Set([...warned, ...told]);
      const crossed = limits.thresholdsUsd.filter((threshold) => spent >= threshold && !known.has(threshold));
      for (const threshold of crossed) warned.add(threshold);
      return crossed;
    },
  };
}
