/** Dollars and tokens spent. */
export interface Amounts {
  readonly usd: number;
  readonly tokens: number;
}

/** Amounts that may be spent; a unit that is not set has no limit. */
export interface BudgetLimit {
  readonly usd?: number | undefined;
  readonly tokens?: number | undefined;
}

export const BUDGET_UNITS = ["usd", "tokens"] as const;
export type BudgetUnit = (typeof BUDGET_UNITS)[number];

export const NOTHING_SPENT: Amounts = { usd: 0, tokens: 0 };

/** Cap of every sum, beyond every limit. Workers may report any number; infinity cannot be stored or shown. */
const MOST = Number.MAX_SAFE_INTEGER;

const atMost = (amount: number): number => Math.min(amount, MOST);

export const addAmounts = (a: Amounts, b: Amounts): Amounts => ({
  usd: atMost(a.usd + b.usd),
  tokens: atMost(a.tokens + b.tokens),
});

/** Takes the higher amount of each unit: a reported sum never falls. */
export const higherAmounts = (a: Amounts, b: Amounts): Amounts => ({
  usd: atMost(Math.max(a.usd, b.usd)),
  tokens: atMost(Math.max(a.tokens, b.tokens)),
});

/** Six figures behind the point, so that sums of many small costs do not end in dust. */
const MICRO = 1_000_000;

/** Rounds an amount for events and for people. */
export const roundAmount = (amount: number): number => Math.round(amount * MICRO) / MICRO;

/** Below this amount two decimals say too little, so four are shown. */
const SMALL_USD = 0.1;

/** For people: `$1.25`, `$0.0044` or `40000 tokens`. */
export function amountText(amount: number, unit: BudgetUnit): string {
  if (unit === "tokens") return `${Math.round(amount)} tokens`;
  return `$${amount.toFixed(amount > 0 && amount < SMALL_USD ? 4 : 2)}`;
}

/** A sum a worker reports for one boot. */
export interface ReportedSum {
  /** The sum in use. */
  readonly current: number;
  /** The part of `current` that is not estimated; absent when no part is estimated. */
  readonly sure?: number;
}

/**
 * The sum after a report. An estimate counts until the agent's figure arrives. The agent's figure replaces the
 * estimate, up or down. The part that is not estimated never falls.
 */
export function nextSum<Sum extends ReportedSum>(last: Sum, amount: number, isEstimate: boolean): Sum {
  const said = Math.min(Math.max(0, amount), MOST);
  const { sure = last.current, ...rest } = last;
  if (isEstimate) return said <= last.current ? last : ({ ...rest, current: said, sure } as Sum);
  const current = Math.max(sure, said);
  return current === last.current && last.sure === undefined ? last : ({ ...rest, current } as Sum);
}

export const isEstimated = ({ sure }: ReportedSum): boolean => sure !== undefined;

/** The money of one worker. */
export interface Account {
  readonly parentId: string | null;
  readonly fleet: string | null;
  /** Number of the worker's current run; 0 before the first run. */
  readonly run: number;
  /** True between the spawn and the boot: the next boot belongs to this run. */
  readonly fresh: boolean;
  readonly limit: BudgetLimit;
  /** Whether the limit was set after the spawn; the next spawn of the worker then keeps the limit. */
  readonly limitIsSet: boolean;
  readonly runLimit: BudgetLimit;
  /** Sums the worker reported in this run. */
  readonly reported: Amounts;
  /** The part of the reported dollars that is not estimated; absent when no dollar is estimated. */
  readonly sureUsd?: number | undefined;
  /** Amounts the worker alone spent in all runs. */
  readonly own: Amounts;
  /** Amounts spent by the worker and by all workers that work for it: in all runs, and in this run. */
  readonly spent: Amounts;
  readonly spentInRun: Amounts;
  /** False once the worker has ended; an active worker may still spend. */
  readonly active: boolean;
  /** Whether the worker was told to stop in this run because a limit was reached. */
  readonly stopped: boolean;
}

export const NEW_ACCOUNT: Account = {
  parentId: null,
  fleet: null,
  run: 0,
  fresh: false,
  limit: {},
  limitIsSet: false,
  runLimit: {},
  reported: NOTHING_SPENT,
  own: NOTHING_SPENT,
  spent: NOTHING_SPENT,
  spentInRun: NOTHING_SPENT,
  active: false,
  stopped: false,
};

/** The account of a worker at the beginning of another run. */
export const nextRun = (account: Account, run: number): Account => ({
  ...account,
  run,
  reported: NOTHING_SPENT,
  sureUsd: undefined,
  spentInRun: NOTHING_SPENT,
  active: true,
  stopped: false,
});
