import type {
  Amounts,
  BudgetLimit,
  HarnessId,
  Ledger,
  NameOfWorker,
  OuterLimits,
  PriceOverrides,
  ReadRequest,
  BudgetState,
  ReplyFields,
} from "claw-contract";
import {
  allBudgets,
  budgetsOfFleet,
  budgetsOver,
  canMeasure,
  refusalOf,
  BUDGET_UNITS,
  exceededUnits,
  roundAmount,
} from "claw-contract";
import type { BusExtension, BusHost, RequestHandler, WorkspaceBudget } from "../../../bus/index.ts";
import { fieldsOf, error, handlePeers, ok } from "../../../bus/index.ts";
import type { BudgetMemory } from "./budget-memory.ts";
import { createEnforcer, createParking } from "./enforce.ts";
import { limitOf } from "./read-spending.ts";

/** Limits a fleet, or a worker, from now on. The same limit again changes nothing. */
const setBudget = (host: BusHost, ledger: Ledger): RequestHandler =>
  handlePeers("budget.set", ({ peer, request }, done) => {
    const { scope, target: id, budget } = request;
    const account = ledger.account(id);
    if (scope === "worker" && account === undefined) {
      return done(error(`no worker is called ${id}`, { code: "WORKER_NOT_FOUND" }));
    }
    const known = scope === "fleet" ? ledger.fleet(id).limit : account?.limit;
    const limit = limitOf(budget);
    if (BUDGET_UNITS.every((unit) => known?.[unit] === limit[unit])) return done(ok({ scope, id, changed: false }));
    const payload = { scope, id, budget: budget === null ? null : limit, by: peer.id, ts: host.timestamp() };
    return host.publish([{ topic: "system.budget.set", payload }], (outcome) =>
      done(outcome instanceof Error ? error("event-log:write-failed") : ok({ scope, id, changed: true })),
    );
  });

/** Shows a budget. */
export function budgetViewOf(
  state: BudgetState,
  memory: Pick<BudgetMemory, "reachedAt">,
): ReplyFields<"budget.list">["budgets"][number] {
  const { scope, id, limit, spent } = state;
  const since = memory.reachedAt(state);
  return {
    scope,
    id,
    limit,
    spent: { usd: roundAmount(spent.usd), tokens: spent.tokens },
    exceeded: exceededUnits(state),
    ...(since === undefined ? {} : { since }),
  };
}

/** Requests about budgets. */
export const budgetRequests = (
  host: BusHost,
  memory: BudgetMemory,
  budgets: () => readonly BudgetState[],
): readonly RequestHandler[] => [
  setBudget(host, memory.ledger),
  handlePeers("budget.list", (_call, done) =>
    done(ok({ budgets: budgets().map((state) => budgetViewOf(state, memory)) })),
  ),
];

export interface BudgetOptions {
  /** Spending limit of all workers together for one day. */
  readonly perDay: BudgetLimit;
  /** The name by which people know a worker. */
  readonly nameOf: NameOfWorker;
  /** Prices of the user's own, by model. */
  readonly prices?: PriceOverrides;
  readonly memory: BudgetMemory;
}

interface OuterOptions extends Pick<BudgetOptions, "perDay">, Pick<BudgetMemory, "ledger" | "dayOf"> {
  readonly workspace: Pick<WorkspaceBudget, "capUsd" | "spentUsd">;
}

/** The date at a time, the limits of the day and the workspace, and what the workspace has spent. */
export const outerLimits = (iso: string, { ledger, perDay, dayOf, workspace }: OuterOptions): OuterLimits => ({
  today: dayOf(iso),
  day: perDay,
  workspace: workspace.capUsd === undefined ? {} : { usd: workspace.capUsd },
  workspaceSpent: { usd: workspace.spentUsd(), tokens: ledger.total().tokens },
});

/** Amounts a worker spent, and the worker's limit. */
export interface WorkerSpending {
  /** Spent by the worker alone, in all its runs. */
  readonly own: Amounts;
  /** Spent by the worker and all workers it started, together. */
  readonly all: Amounts;
  readonly limit: BudgetLimit;
  /** Why the worker may spend no more; null when the worker may. */
  readonly refusal: string | null;
}

/** The fields of a request for a worker that budgets depend on. */
type SpawnMoney = Pick<ReadRequest<"worker.spawn">, "harness" | "model" | "budget" | "parent_id" | "fleet">;

export interface SpawnRefusal {
  readonly code: "BUDGET_EXCEEDED" | "BUDGET_UNMEASURABLE";
  readonly message: string;
}

/** The budgets and the spending of workers. */
export interface Budgets {
  readonly extension: BusExtension;
  /** Why a worker may spend no more, or without a peer id any worker; undefined when spending is allowed. */
  readonly refusal: (peerId: string | undefined) => string | undefined;
  /** Why a worker may not be started like this; undefined when it may. */
  refuseSpawn(request: SpawnMoney): SpawnRefusal | undefined;
  spending(peerId: string): WorkerSpending | undefined;
  /** Tokens that a worker has reported in its present run. */
  reportedTokens(peerId: string): number;
}

/** Events after which a worker may have spent more, or may have a lower limit. */
const REACTS_TO = ["worker.*.heartbeat", "worker.*.complete", "worker.*.boot", "system.budget.set"];

interface BudgetBooks {
  readonly ledger: Ledger;
  readonly outer: OuterLimits;
  readonly nameOf: NameOfWorker;
  readonly prices: PriceOverrides;
}

/** Why budgets or an unknown price forbid this start; undefined when the start is allowed. */
function refuseSpawn({ ledger, outer, nameOf, prices }: BudgetBooks, request: SpawnMoney): SpawnRefusal | undefined {
  const { harness, model, budget, parent_id: parentId, fleet } = request;
  const above = parentId === null ? [] : budgetsOver(ledger, parentId, outer);
  const over = refusalOf([...above, ...budgetsOfFleet(ledger, fleet, outer)], nameOf);
  if (over !== undefined) return { code: "BUDGET_EXCEEDED", message: over };
  const chosen = above.filter(({ scope }) => scope !== "day" && scope !== "workspace").map(({ limit }) => limit);
  const limits = [budget ?? {}, ...chosen, fleet === null ? {} : ledger.fleet(fleet).limit];
  const inDollars = limits.some(({ usd }) => usd !== undefined);
  return inDollars && !canMeasure(harness, model, prices) ? unmeasurable(harness, model) : undefined;
}

export function createBudgets(host: BusHost, options: BudgetOptions): Budgets {
  const { perDay, nameOf, prices = {}, memory } = options;
  const { ledger, dayOf } = memory;
  const outer = (): OuterLimits => outerLimits(host.timestamp(), { ledger, perDay, dayOf, workspace: host.budget });
  const enforcer = createEnforcer(host, { memory, outer, nameOf });
  const parking = createParking({ host, memory, outer, prices });
  const refusal = (peerId: string | undefined): string | undefined => {
    const over = peerId === undefined ? budgetsOfFleet(ledger, null, outer()) : budgetsOver(ledger, peerId, outer());
    return refusalOf(over, nameOf);
  };
  return {
    refusal,
    refuseSpawn: (request) => refuseSpawn({ ledger, outer: outer(), nameOf, prices }, request),
    reportedTokens: (peerId) => ledger.account(peerId)?.reported.tokens ?? 0,
    spending: (peerId) => {
      const account = ledger.account(peerId);
      if (account === undefined) return undefined;
      return { own: account.own, all: account.spent, limit: account.limit, refusal: refusal(peerId) ?? null };
    },
    extension: {
      name: "budgets",
      memory,
      requests: budgetRequests(host, memory, () => allBudgets(ledger, outer())),
      overBudget: refusal,
      reactsTo: REACTS_TO,
      // The spending of another machine's worker counts against the limits that this daemon enforces.
      reactsFor: "cluster",
      react: ({ topic, payload }) => {
        if (topic === "system.budget.set") return enforcer.lookAtAll();
        const [, peerId = ""] = topic.split(".");
        if (topic.endsWith(".heartbeat") && host.isHere(peerId)) parking.look(peerId, fieldsOf(payload));
        return enforcer.look(peerId);
      },
      start: () => enforcer.lookAtAll(),
      checkDue: () => {
        if (host.machine !== undefined) enforcer.lookAtNew();
        return Infinity;
      },
    },
  };
}

const WAYS_OUT = "add its price to `prices` in the settings, or limit its tokens";

const unmeasurable = (harness: HarnessId, model: string | null): SpawnRefusal => ({
  code: "BUDGET_UNMEASURABLE",
  message:
    model === null
      ? `what ${harness} costs is not known before its model is: name the model, or limit its tokens`
      : `the price of ${model} is not known, so a limit in dollars would never be reached: ${WAYS_OUT}`,
});
