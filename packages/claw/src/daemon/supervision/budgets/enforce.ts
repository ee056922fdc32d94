import type { BudgetState, BudgetUnit, NameOfWorker, OuterLimits, PriceOverrides } from "claw-contract";
import {
  allBudgets,
  budgetReason,
  budgetsOver,
  crossedThresholds,
  exceededUnits,
  roundAmount,
  nonEmptyText,
  priceOf,
  textsOf,
} from "claw-contract";
import type { BusHost, ServerEvent } from "../../../bus/index.ts";
import type { BudgetMemory } from "./budget-memory.ts";
import { saidKey, unpricedKey } from "./budget-memory.ts";

/** Enforces limits: warns, and stops workers that spend beyond a limit. */
export interface Enforcer {
  /** Looks at the limits that a worker spends under. */
  look(peerId: string): void;
  /**
   * Looks at all limits: after a limit has changed, and at a start, because a crash may have lost a warning or a stop.
   */
  lookAtAll(): void;
}

const same = (a: BudgetState, b: BudgetState): boolean => a.scope === b.scope && a.id === b.id;

export interface EnforcerDeps {
  readonly memory: BudgetMemory;
  readonly outer: () => OuterLimits;
  readonly nameOf: NameOfWorker;
}

export function createEnforcer(host: BusHost, { memory, outer, nameOf }: EnforcerDeps): Enforcer {
  const { ledger } = memory;
  /** Keys of warnings and stops on their way into the log. */
  const saying = new Set<string>();
  const append = (key: string, events: readonly ServerEvent[]): void => {
    saying.add(key);
    host.publish(events, (outcome) => {
      saying.delete(key);
      if (outcome instanceof Error) host.report(`a limit was not enforced: ${outcome.message}`);
    });
  };
  const warn = (state: BudgetState): void => {
    // The bus itself warns of the workspace.
    if (state.scope === "workspace") return;
    for (const { unit, threshold } of crossedThresholds(state)) {
      const key = saidKey({ ...state, unit, at: threshold });
      if (memory.wasSaid(key) || saying.has(key)) continue;
      append(key, [{ topic: "system.budget.warning", payload: warningOf(state, unit, threshold) }]);
    }
  };
  const spendersUnder = (state: BudgetState): string[] =>
    [...ledger.accounts()]
      .filter(([, { active, stopped }]) => active && !stopped)
      .map(([peerId]) => peerId)
      .filter((peerId) => budgetsOver(ledger, peerId, outer()).some((each) => same(each, state)));
  const stop = (state: BudgetState, unit: BudgetUnit): void => {
    const key = saidKey({ ...state, unit, at: state.limit[unit] });
    if (saying.has(key)) return;
    const stopped = spendersUnder(state);
    if (stopped.length === 0 && memory.wasSaid(key)) return;
    const reason = budgetReason(state, unit, nameOf);
    append(key, stopEvents(state, unit, { stopped, reason, ts: host.timestamp() }));
  };
  const judge = (state: BudgetState): void => {
    warn(state);
    for (const unit of exceededUnits(state)) stop(state, unit);
  };
  return {
    look: (peerId) => budgetsOver(ledger, peerId, outer()).forEach(judge),
    lookAtAll: () => allBudgets(ledger, outer()).forEach(judge),
  };
}

const warningOf = (
  { scope, id, spent, limit }: BudgetState,
  unit: BudgetUnit,
  threshold: number,
): ServerEvent["payload"] => ({
  current_usd: roundAmount(spent.usd),
  threshold_usd: unit === "usd" ? threshold : 0,
  scope,
  id,
  unit,
  spent: roundAmount(spent[unit]),
  threshold,
  limit: limit[unit],
});

/** The event that reports the exceeded limit is last: after a crash in between, each worker gets its abort again. */
function stopEvents(
  state: BudgetState,
  unit: BudgetUnit,
  { stopped, reason, ts }: { readonly stopped: readonly string[]; readonly reason: string; readonly ts: string },
): ServerEvent[] {
  const { scope, id, spent, limit } = state;
  return [
    ...stopped.map((peerId) => ({ topic: `cmd.${peerId}.abort`, payload: { reason } })),
    {
      topic: "system.budget.exceeded",
      payload: { scope, id, unit, spent: roundAmount(spent[unit]), limit: limit[unit], stopped, ts },
    },
  ];
}

/** Pauses a worker that has a limit in dollars when its model turns out to have no known price. */
interface UnpricedWorkers {
  /** Looks at a heartbeat of a worker. */
  look(peerId: string, heartbeat: Readonly<Record<string, unknown>>): void;
}

interface ParkingDeps {
  readonly host: BusHost;
  readonly memory: BudgetMemory;
  readonly outer: () => OuterLimits;
  readonly prices: PriceOverrides;
}

/**
 * Whether the limit was set for this work. Limits of the day and the workspace hold for all workers, and pause no
 * worker because of an unknown price.
 */
const isChosen = (scope: string): boolean => scope !== "day" && scope !== "workspace";

const unpricedReason = (model: string): string =>
  `the price of ${model} is not known, so its limit in dollars cannot be held: add the price to \`prices\` in the ` +
  "settings and start it anew, or go on without the limit (claw resume)";

export function createParking({ host, memory, outer, prices }: ParkingDeps): UnpricedWorkers {
  /** Keys of reports on their way into the log. */
  const saying = new Set<string>();
  const park = (peerId: string, model: string): void => {
    const key = unpricedKey(peerId, model);
    if (memory.wasSaid(key) || saying.has(key)) return;
    saying.add(key);
    const reason = unpricedReason(model);
    const events = [
      { topic: `cmd.${peerId}.pause`, payload: { reason } },
      { topic: "system.budget.unmeasurable", payload: { id: peerId, model, reason, ts: host.timestamp() } },
    ];
    host.publish(events, (outcome) => {
      saying.delete(key);
      if (outcome instanceof Error) host.report(`worker ${peerId} was not paused: ${outcome.message}`);
    });
  };
  return {
    look: (peerId, { model, unpriced_models: unpriced }) => {
      const own = nonEmptyText(model);
      const isUnknown = own !== undefined && priceOf(own, prices) === undefined;
      const [unknown] = [...(isUnknown ? [own] : []), ...textsOf(unpriced)];
      if (unknown === undefined || memory.ledger.account(peerId)?.active !== true) return;
      const limits = budgetsOver(memory.ledger, peerId, outer());
      if (limits.some(({ scope, limit }) => isChosen(scope) && limit.usd !== undefined)) park(peerId, unknown);
    },
  };
}
