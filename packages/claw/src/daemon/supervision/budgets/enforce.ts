import type {
  BudgetState,
  BudgetUnit,
  FleetAccount,
  Ledger,
  NameOfWorker,
  OuterLimits,
  PriceOverrides,
} from "claw-contract";
import {
  allBudgets,
  BUDGET_UNITS,
  budgetReason,
  budgetsOfFleet,
  budgetsOver,
  crossedThresholds,
  exceededUnits,
  roundAmount,
  runId,
  nonEmptyText,
  priceOf,
  textsOf,
} from "claw-contract";
import type { BusHost, Mandate, ServerEvent } from "../../../bus/index.ts";
import type { BudgetMemory } from "./budget-memory.ts";
import { saidKey, unpricedKey } from "./budget-memory.ts";

/** Enforces limits: warns, and stops workers that spend beyond a limit. */
export interface Enforcer {
  /** Looks at the limits that a worker spends under, as far as this daemon enforces them. */
  look(peerId: string): void;
  /**
   * Looks at all limits: after a limit has changed, and at a start, because a crash may have lost a warning or a stop.
   */
  lookAtAll(): void;
  /**
   * Looks at all limits when this daemon has come to enforce more of those that are enforced once in a cluster: the daemon before
   * may have ended in between.
   */
  lookAtNew(): void;
}

const same = (a: BudgetState, b: BudgetState): boolean => a.scope === b.scope && a.id === b.id;

export interface EnforcerDeps {
  readonly memory: BudgetMemory;
  readonly outer: () => OuterLimits;
  readonly nameOf: NameOfWorker;
}

/**
 * Set when this daemon enforces a limit. A limit of a worker is enforced by the worker's daemon. The other limits are enforced
 * once in a cluster, those of fleets by any daemon, and those of the day and the workspace, which each daemon may have set
 * otherwise, by one of the daemons with the same limit.
 */
function mandateFor({ turns }: Pick<BusHost, "turns">, { scope, id, limit }: BudgetState): Mandate | undefined {
  if (scope === "worker" || scope === "run") return turns.forPeer(id?.split("#")[0] ?? "");
  if (scope === "fleet") return turns.once("fleets");
  return turns.once(`${scope}.${limit.usd ?? "none"}.${limit.tokens ?? "none"}`);
}

/** Warnings and stops on their way into the log, by their keys. */
function createSayings(host: BusHost) {
  const saying = new Set<string>();
  const append = (key: string, events: readonly ServerEvent[]): void => {
    saying.add(key);
    host.publish(events, (outcome) => {
      saying.delete(key);
      if (outcome instanceof Error) host.report(`a limit was not enforced: ${outcome.message}`);
    });
  };
  return { saying, append };
}

/** The workers that spend under a limit, and were not told to stop. */
const spendersUnder = (state: BudgetState, ledger: Ledger, outer: OuterLimits): string[] =>
  [...ledger.accounts()]
    .filter(([, { active, stopped }]) => active && !stopped)
    .map(([peerId]) => peerId)
    .filter((peerId) => budgetsOver(ledger, peerId, outer).some((each) => same(each, state)));

/** Names the limits that are enforced once in a cluster and that this daemon enforces now. */
function enforcedBy(host: BusHost, ledger: Ledger, outer: OuterLimits): string {
  const isLimited = ({ limit }: FleetAccount): boolean => BUDGET_UNITS.some((unit) => limit[unit] !== undefined);
  const [fleet = null] = [...ledger.fleets()].find(([, account]) => isLimited(account)) ?? [];
  const enforced = budgetsOfFleet(ledger, fleet, outer).filter((state) => mandateFor(host, state) !== undefined);
  return enforced.map(({ scope }) => scope).join(" ");
}

export function createEnforcer(host: BusHost, { memory, outer, nameOf }: EnforcerDeps): Enforcer {
  const { ledger } = memory;
  const { saying, append } = createSayings(host);
  const warn = (state: BudgetState, mandate: Mandate): void => {
    // The bus itself warns of the workspace.
    if (state.scope === "workspace") return;
    for (const { unit, threshold } of crossedThresholds(state)) {
      const key = saidKey({ ...state, unit, at: threshold });
      if (memory.wasSaid(key) || saying.has(key)) continue;
      const payload = warningOf(state, unit, threshold);
      append(key, [{ topic: "system.budget.warning", payload, id: `budget-warning ${key}`, ...mandate }]);
    }
  };
  const stop = (state: BudgetState, unit: BudgetUnit, mandate: Mandate): void => {
    const key = saidKey({ ...state, unit, at: state.limit[unit] });
    if (saying.has(key)) return;
    const stopped = spendersUnder(state, ledger, outer());
    if (stopped.length === 0 && memory.wasSaid(key)) return;
    const reason = budgetReason(state, unit, nameOf);
    // A worker is stopped once in each of its runs.
    const runs = stopped.map((peerId) => runId(peerId, ledger.account(peerId)?.run ?? 0));
    append(key, stopEvents(state, unit, { stopped, runs, key, mandate, reason, ts: host.timestamp() }));
  };
  const judge = (state: BudgetState): void => {
    const isDue = crossedThresholds(state).length > 0 || exceededUnits(state).length > 0;
    const mandate = isDue ? mandateFor(host, state) : undefined;
    if (mandate === undefined) return;
    warn(state, mandate);
    for (const unit of exceededUnits(state)) stop(state, unit, mandate);
  };
  let enforced = "";
  const lookAtAll = (): void => allBudgets(ledger, outer()).forEach(judge);
  return {
    look: (peerId) => budgetsOver(ledger, peerId, outer()).forEach(judge),
    lookAtAll,
    lookAtNew: () => {
      const now = enforcedBy(host, ledger, outer());
      if (now === enforced) return;
      enforced = now;
      lookAtAll();
    },
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

interface Stopping {
  readonly stopped: readonly string[];
  /** The runs that are stopped, in the same order. */
  readonly runs: readonly string[];
  /** Names the limit. */
  readonly key: string;
  readonly mandate: Mandate;
  readonly reason: string;
  readonly ts: string;
}

/**
 * The event that reports the exceeded limit is last: after a crash in between, each worker gets its abort again. Ids name what
 * is stopped and why, so that two daemons that stop the same write one event.
 */
function stopEvents(state: BudgetState, unit: BudgetUnit, stopping: Stopping): ServerEvent[] {
  const { scope, id, spent, limit } = state;
  const { stopped, runs, key, mandate, reason, ts } = stopping;
  return [
    ...stopped.map((peerId, index) => ({
      topic: `cmd.${peerId}.abort`,
      payload: { reason },
      id: `budget-abort ${key} ${runs[index]}`,
      ...mandate,
    })),
    {
      topic: "system.budget.exceeded",
      payload: { scope, id, unit, spent: roundAmount(spent[unit]), limit: limit[unit], stopped, ts },
      id: `budget-exceeded ${key} ${runs.join(" ")}`,
      ...mandate,
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
      { topic: `cmd.${peerId}.pause`, payload: { reason }, id: `budget-pause ${key}` },
      {
        topic: "system.budget.unmeasurable",
        payload: { id: peerId, model, reason, ts: host.timestamp() },
        id: `budget-unmeasurable ${key}`,
      },
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
