import type { Amounts, BudgetLimit } from "./amounts.ts";
import { NOTHING_SPENT } from "./amounts.ts";

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
