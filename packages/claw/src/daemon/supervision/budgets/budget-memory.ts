import type { BudgetState, Ledger } from "claw-contract";
import { createLedger, exceededUnits } from "claw-contract";
import type { StoredProjection } from "../../../bus/index.ts";
import { fieldsOf } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { readSpending, SPENDING_TOPICS } from "./read-spending.ts";

const two = (number: number): string => String(number).padStart(2, "0");

/** The date of a time where this process runs, as `2026-01-31`. */
export function localDay(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The date of a time in UTC: the same on all machines of a cluster, wherever they stand. */
export const utcDay = (iso: string): string => new Date(iso).toISOString().slice(0, "2026-01-31".length);

/** Budget warnings that are remembered, so each warning is given once; the oldest are forgotten first. */
const BUDGET_WARNINGS = 10_000;

/** Spending and limits, read from the log. */
export interface BudgetMemory extends StoredProjection {
  readonly ledger: Ledger;
  /** The date of a time, by which spending counts for a day. */
  dayOf(this: void, iso: string): string;
  /** Whether the log holds this warning, or this report of a reached limit. */
  wasSaid(key: string): boolean;
  /** ISO time since when a budget allows no more; undefined for other budgets, and before the report is in the log. */
  reachedAt(state: BudgetState): string | undefined;
}

interface BudgetFields {
  readonly scope: unknown;
  readonly id: unknown;
  readonly unit: unknown;
  readonly at: unknown;
}

/**
 * Key of a warning or of a reached limit, the same before and after its event is stored. A changed limit has another
 * key.
 */
export const saidKey = ({ scope, id, unit, at }: BudgetFields): string => JSON.stringify([scope, id ?? null, unit, at]);

/** Key of the report on a model without a price, the same before and after its event is stored. */
export const unpricedKey = (peerId: string, model: string): string => JSON.stringify(["unpriced", peerId, model]);

/** Whether events of this topic tell of no amount; they count only when they end a life. */
const isOfNoAmount = (topic: string): boolean =>
  topic.startsWith("worker.") && (topic.endsWith(".event") || topic.endsWith(".phase"));

/** The earliest time at which a limit of a budget was reached. */
const reachedIn = (said: ReadonlyMap<string, string>, state: BudgetState): string | undefined =>
  exceededUnits(state)
    .map((unit) => said.get(saidKey({ ...state, unit, at: state.limit[unit] })) ?? "")
    .filter((at) => at !== "")
    .toSorted()[0];

interface Saved {
  readonly ledger: unknown;
  readonly said: readonly string[];
  /** Absent in a snapshot of an older claw. */
  readonly reached?: readonly (readonly [key: string, at: string])[];
}

export function createBudgetMemory(
  dayOf: (iso: string) => string,
  registry: Pick<WorkerRegistry, "changesBy">,
): BudgetMemory {
  const ledger = createLedger();
  /** By key, the time of a reached limit; empty for a warning. */
  const said = new Map<string, string>();
  const remember = (key: string, at = ""): void => {
    if (!said.has(key)) said.set(key, at);
    const [oldest] = said.keys();
    if (said.size > BUDGET_WARNINGS && oldest !== undefined) said.delete(oldest);
  };
  return {
    ledger,
    dayOf,
    wasSaid: (key) => said.has(key),
    reachedAt: (state) => reachedIn(said, state),
    patterns: SPENDING_TOPICS,
    logEntries: "ignored",
    wants: (event) => !isOfNoAmount(event.topic) || registry.changesBy(event).length > 0,
    apply: (event) => {
      const { topic, from, payload, tsServer } = event;
      for (const fact of readSpending(event, dayOf)) ledger.apply(fact);
      for (const { peerId, after } of registry.changesBy(event)) {
        if (after.end !== null) ledger.apply({ kind: "ended", peerId });
      }
      if (from !== "server" || !topic.startsWith("system.budget.")) return;
      const { scope, id, unit, threshold, limit, model } = fieldsOf(payload);
      if (topic.endsWith(".unmeasurable")) return remember(unpricedKey(String(id), String(model)));
      if (topic.endsWith(".warning") && threshold !== undefined) remember(saidKey({ scope, id, unit, at: threshold }));
      if (topic.endsWith(".exceeded")) remember(saidKey({ scope, id, unit, at: limit }), tsServer);
    },
    save: (): Saved => ({
      ledger: ledger.save(),
      said: [...said.keys()],
      reached: [...said].filter(([, at]) => at !== ""),
    }),
    load: (saved) => {
      const known = saved as Saved;
      ledger.load(known.ledger);
      const reached = new Map(known.reached);
      for (const key of known.said) remember(key, reached.get(key));
    },
  };
}
