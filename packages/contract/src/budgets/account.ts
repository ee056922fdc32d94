import type { Amounts, BudgetLimit } from "./amounts.ts";
import { NOTHING_SPENT } from "./amounts.ts";

/** The money of one worker. */
export interface Account {
  readonly parentId: string | null;
  readonly fleet: string | null;
  /** Which start of it this is; 0 before the first. */
  readonly run: number;
  /** Started, but not booted: its boot belongs to this run. */
  readonly fresh: boolean;
  readonly limit: BudgetLimit;
  /** Whether somebody set the limit after the worker was started; another start of it leaves that alone. */
  readonly limitIsSet: boolean;
  readonly runLimit: BudgetLimit;
  /** The sums it reported in this run. */
  readonly reported: Amounts;
  /** What of those dollars is no estimate; all of them when this is absent. */
  readonly sureUsd?: number | undefined;
  /** What it spent itself in all runs. */
  readonly own: Amounts;
  /** What it and everybody below it spent, in all runs and in this one. */
  readonly spent: Amounts;
  readonly spentInRun: Amounts;
  /** Whether it may go on spending by itself. */
  readonly active: boolean;
  /** Whether it was told to stop in this run because a limit was reached. */
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
