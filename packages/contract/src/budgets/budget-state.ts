import type { BudgetScope } from "../workers/worker-words.ts";
import type { Amounts, BudgetLimit, BudgetUnit } from "./amounts.ts";
import { amountText, BUDGET_UNITS } from "./amounts.ts";
import type { Ledger } from "./ledger.ts";

/** Shares of a limit at which a warning is given. */
export const BUDGET_WARNINGS = [0.5, 0.8] as const;

/** One budget: the scope with a limit, and the amounts spent there. */
export interface BudgetState {
  readonly scope: BudgetScope;
  /** Worker, run, fleet or day; null for the workspace. */
  readonly id: string | null;
  readonly limit: BudgetLimit;
  readonly spent: Amounts;
}

/** The date, and the limits that the ledger does not hold. */
export interface OuterLimits {
  readonly today: string;
  readonly day: BudgetLimit;
  readonly workspace: BudgetLimit;
  /** Amounts the workspace spent, from the counter of the component that enforces the workspace limit. */
  readonly workspaceSpent: Amounts;
}

export const runId = (peerId: string, run: number): string => `${peerId}#${run}`;

const hasLimit = ({ limit }: BudgetState): boolean => BUDGET_UNITS.some((unit) => limit[unit] !== undefined);

function workerStates(ledger: Ledger, peerId: string): BudgetState[] {
  const account = ledger.account(peerId);
  if (account === undefined) return [];
  const { run, limit, runLimit, spent, spentInRun } = account;
  return [
    { scope: "run", id: runId(peerId, run), limit: runLimit, spent: spentInRun },
    { scope: "worker", id: peerId, limit, spent },
  ];
}

const outerStates = (outer: OuterLimits, ledger: Ledger): BudgetState[] => [
  { scope: "day", id: outer.today, limit: outer.day, spent: ledger.spentOn(outer.today) },
  { scope: "workspace", id: null, limit: outer.workspace, spent: outer.workspaceSpent },
];

const fleetState = (ledger: Ledger, name: string): BudgetState => ({ scope: "fleet", id: name, ...ledger.fleet(name) });

/** Budgets with a limit for a fleet, the day and the workspace. */
export const budgetsOfFleet = (ledger: Ledger, name: string | null, outer: OuterLimits): BudgetState[] =>
  [...(name === null ? [] : [fleetState(ledger, name)]), ...outerStates(outer, ledger)].filter(hasLimit);

/** Budgets with a limit that a worker's spending counts against: the worker's own first, the workspace's last. */
export const budgetsOver = (ledger: Ledger, peerId: string, outer: OuterLimits): BudgetState[] =>
  [
    ...ledger.chainOf(peerId).flatMap((id) => workerStates(ledger, id)),
    ...ledger.fleetsOf(peerId).map((name) => fleetState(ledger, name)),
    ...outerStates(outer, ledger),
  ].filter(hasLimit);

/** All budgets with a limit: every worker, every fleet, the day, the workspace. */
export const allBudgets = (ledger: Ledger, outer: OuterLimits): BudgetState[] =>
  [
    ...[...ledger.accounts().keys()].flatMap((id) => workerStates(ledger, id)),
    ...[...ledger.fleets().keys()].map((name) => fleetState(ledger, name)),
    ...outerStates(outer, ledger),
  ].filter(hasLimit);

/** Units whose limit is reached. */
export const exceededUnits = ({ limit, spent }: BudgetState): BudgetUnit[] =>
  BUDGET_UNITS.filter((unit) => spent[unit] >= (limit[unit] ?? Infinity));

export interface BudgetThreshold {
  readonly unit: BudgetUnit;
  readonly threshold: number;
}

/** The thresholds of a budget that the spending has reached. */
export const crossedThresholds = ({ limit, spent }: BudgetState): BudgetThreshold[] =>
  BUDGET_UNITS.flatMap((unit) =>
    BUDGET_WARNINGS.map((share) => ({ unit, threshold: share * (limit[unit] ?? Infinity) })).filter(
      ({ threshold }) => threshold > 0 && spent[unit] >= threshold,
    ),
  );

/** The name by which people know a worker. */
export type NameOfWorker = (peerId: string) => string;

const SCOPE_NAMES: Readonly<Record<BudgetScope, (id: string, nameOf: NameOfWorker) => string>> = {
  run: (id, nameOf) => `this run of ${nameOf(id.split("#")[0] ?? id)}`,
  worker: (id, nameOf) => nameOf(id),
  fleet: (id) => `the fleet ${id}`,
  day: (id) => id,
  workspace: () => "this workspace",
};

/** Why a limit allows no more spending; the text is for people and for the stopped agent. */
export const budgetReason = (
  { scope, id, limit, spent }: BudgetState,
  unit: BudgetUnit,
  nameOf: NameOfWorker,
): string =>
  `budget: ${amountText(spent[unit], unit)} spent, the limit of ${SCOPE_NAMES[scope](id ?? "", nameOf)} is ${amountText(limit[unit] ?? 0, unit)}`;

/** Why the budgets allow no more spending; undefined when every budget allows more. */
export function refusalOf(states: readonly BudgetState[], nameOf: NameOfWorker): string | undefined {
  for (const state of states) {
    const [unit] = exceededUnits(state);
    if (unit !== undefined) return budgetReason(state, unit, nameOf);
  }
  return undefined;
}
