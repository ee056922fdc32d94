import { LIMITS } from "../limits/limits.ts";
import type { Account, Amounts, BudgetLimit, ReportedSum } from "./amounts.ts";
import { addAmounts, higherAmounts, NEW_ACCOUNT, nextRun, nextSum, NOTHING_SPENT } from "./amounts.ts";

/** A fact that changes the ledger. */
export type LedgerFact =
  | {
      readonly kind: "spawned";
      readonly peerId: string;
      readonly parentId: string | null;
      readonly fleet: string | null;
      readonly run: number;
      readonly limit: BudgetLimit;
      readonly runLimit: BudgetLimit;
    }
  | { readonly kind: "booted"; readonly peerId: string; readonly parentId: string | null }
  /** The worker's process counts its sums from zero again, within the same run. */
  | { readonly kind: "recounts"; readonly peerId: string }
  /** Sums since the boot, as the worker reported them. `day` is the date of the report. */
  | {
      readonly kind: "reported";
      readonly peerId: string;
      readonly sums: Partial<Amounts>;
      /** Whether the dollars are estimated from the tokens. */
      readonly isEstimate?: boolean;
      readonly day: string;
    }
  /** Amounts a run spent and did not report before its process ended. */
  | { readonly kind: "unreported"; readonly peerId: string; readonly sums: Amounts; readonly day: string }
  | { readonly kind: "ended"; readonly peerId: string }
  | { readonly kind: "stopped"; readonly peerIds: readonly string[] }
  | {
      readonly kind: "limited";
      readonly scope: "fleet" | "worker";
      readonly id: string;
      readonly limit: BudgetLimit;
    };

export interface FleetAccount {
  readonly limit: BudgetLimit;
  readonly spent: Amounts;
}

/** The spending of workers, fleets, the day and the workspace, computed from the facts alone. */
export interface Ledger {
  apply(fact: LedgerFact): void;
  account(peerId: string): Account | undefined;
  accounts(): ReadonlyMap<string, Account>;
  fleet(name: string): FleetAccount;
  fleets(): ReadonlyMap<string, FleetAccount>;
  /** The worker first, then its parent, then the parent's parent, and so on. */
  chainOf(peerId: string): readonly string[];
  /** The fleets a worker spends for: the worker's fleet and the fleets of its parents. */
  fleetsOf(peerId: string): readonly string[];
  spentOn(day: string): Amounts;
  total(): Amounts;
  save(): unknown;
  load(saved: unknown): void;
}

interface Books {
  readonly accounts: Map<string, Account>;
  readonly fleets: Map<string, FleetAccount>;
  day: { readonly date: string; readonly spent: Amounts };
  total: Amounts;
}

interface Saved extends Pick<Books, "day" | "total"> {
  /** Fields that are as in a new account may be absent. */
  readonly accounts: readonly [string, Partial<Account>][];
  readonly fleets: readonly [string, FleetAccount][];
}

const NEW_FIELDS = new Map(Object.entries(NEW_ACCOUNT).map(([name, value]) => [name, JSON.stringify(value)]));

/** The fields that differ from those of a new account: few, for most accounts (bench growth, "memory after a start"). */
const ownFields = (account: Account): Partial<Account> =>
  Object.fromEntries(Object.entries(account).filter(([name, value]) => JSON.stringify(value) !== NEW_FIELDS.get(name)));

const NO_FLEET: FleetAccount = { limit: {}, spent: NOTHING_SPENT };

function put(books: Books, peerId: string, change: Partial<Account>): void {
  books.accounts.set(peerId, { ...(books.accounts.get(peerId) ?? NEW_ACCOUNT), ...change });
  if (books.accounts.size <= LIMITS.knownWorkers) return;
  // The sums of the parents and the fleets keep the amounts of a deleted account.
  const [oldest] = [...books.accounts].find(([, { active }]) => !active) ?? [];
  if (oldest !== undefined) books.accounts.delete(oldest);
}

/** Workers name their parents, and the names may form a circle; the walk stops at the first repeated worker. */
function chainOf({ accounts }: Books, peerId: string): string[] {
  const chain: string[] = [];
  let next: string | null = peerId;
  while (next !== null && !chain.includes(next) && chain.length < LIMITS.lineageDepth) {
    chain.push(next);
    next = accounts.get(next)?.parentId ?? null;
  }
  return chain;
}

function fleetsOf(books: Books, peerId: string): string[] {
  const names = chainOf(books, peerId).map((id) => books.accounts.get(id)?.fleet ?? null);
  return [...new Set(names.filter((name) => name !== null))];
}

/** Adds new spending of a worker to the worker, its parents, their fleets, the day and the total. */
function spend(books: Books, peerId: string, delta: Amounts, date: string): void {
  for (const id of chainOf(books, peerId)) {
    const { spent, spentInRun } = books.accounts.get(id) ?? NEW_ACCOUNT;
    put(books, id, { spent: addAmounts(spent, delta), spentInRun: addAmounts(spentInRun, delta) });
  }
  for (const name of fleetsOf(books, peerId)) {
    const fleet = books.fleets.get(name) ?? NO_FLEET;
    books.fleets.set(name, { ...fleet, spent: addAmounts(fleet.spent, delta) });
  }
  const today = books.day.date === date ? books.day.spent : NOTHING_SPENT;
  // A clock that was set back must not make a day's money available again. An estimate of yesterday that was too high
  // must not do so either.
  if (date >= books.day.date) books.day = { date, spent: higherAmounts(addAmounts(today, delta), NOTHING_SPENT) };
  else books.day = { ...books.day, spent: addAmounts(books.day.spent, delta) };
  books.total = addAmounts(books.total, delta);
}

/** The dollars of a worker after a report: the agent's figure replaces an estimate. */
function usdAfter({ reported, sureUsd }: Account, usd: number | undefined, isEstimate: boolean): ReportedSum {
  const last = { current: reported.usd, ...(sureUsd === undefined ? {} : { sure: sureUsd }) };
  return usd === undefined ? last : nextSum(last, usd, isEstimate);
}

function takeReport(books: Books, fact: LedgerFact & { kind: "reported" }): void {
  const { peerId, sums, day, isEstimate = false } = fact;
  const account = books.accounts.get(peerId) ?? NEW_ACCOUNT;
  const { current: usd, sure: sureUsd } = usdAfter(account, sums.usd, isEstimate);
  const { tokens } = higherAmounts(account.reported, { usd: 0, tokens: sums.tokens ?? 0 });
  const delta = { usd: usd - account.reported.usd, tokens: tokens - account.reported.tokens };
  put(books, peerId, { reported: { usd, tokens }, sureUsd, own: addAmounts(account.own, delta), active: true });
  if (delta.usd !== 0 || delta.tokens !== 0) spend(books, peerId, delta, day);
}

/** Amounts found after the end are added to the reported amounts; a late report does not change them. */
function takeUnreported(books: Books, { peerId, sums, day }: LedgerFact & { kind: "unreported" }): void {
  const { own } = books.accounts.get(peerId) ?? NEW_ACCOUNT;
  put(books, peerId, { own: addAmounts(own, sums) });
  spend(books, peerId, sums, day);
}

function apply(books: Books, fact: LedgerFact): void {
  if (fact.kind === "reported") return takeReport(books, fact);
  if (fact.kind === "unreported") return takeUnreported(books, fact);
  if (fact.kind === "stopped") return fact.peerIds.forEach((peerId) => put(books, peerId, { stopped: true }));
  if (fact.kind === "limited" && fact.scope === "fleet") {
    return void books.fleets.set(fact.id, { ...(books.fleets.get(fact.id) ?? NO_FLEET), limit: fact.limit });
  }
  if (fact.kind === "limited") return put(books, fact.id, { limit: fact.limit, limitIsSet: true });
  const account = books.accounts.get(fact.peerId) ?? NEW_ACCOUNT;
  if (fact.kind === "ended") return put(books, fact.peerId, { active: false });
  if (fact.kind === "recounts") return put(books, fact.peerId, { reported: NOTHING_SPENT, sureUsd: undefined });
  const parentId = fact.parentId ?? account.parentId;
  if (fact.kind === "spawned") {
    const { fleet, runLimit } = fact;
    const limit = account.limitIsSet ? account.limit : fact.limit;
    return put(books, fact.peerId, { ...nextRun(account, fact.run), parentId, fleet, limit, runLimit, fresh: true });
  }
  // The spawn named the parent that pays. The worker's boot may not name another parent.
  if (account.fresh) return put(books, fact.peerId, { fresh: false, active: true });
  return put(books, fact.peerId, { ...nextRun(account, account.run + 1), parentId });
}

export function createLedger(): Ledger {
  const books: Books = {
    accounts: new Map(),
    fleets: new Map(),
    day: { date: "", spent: NOTHING_SPENT },
    total: NOTHING_SPENT,
  };
  return {
    apply: (fact) => apply(books, fact),
    account: (peerId) => books.accounts.get(peerId),
    accounts: () => books.accounts,
    fleet: (name) => books.fleets.get(name) ?? NO_FLEET,
    fleets: () => books.fleets,
    chainOf: (peerId) => chainOf(books, peerId),
    fleetsOf: (peerId) => fleetsOf(books, peerId),
    spentOn: (day) => (books.day.date === day ? books.day.spent : NOTHING_SPENT),
    total: () => books.total,
    save: (): Saved => ({
      accounts: [...books.accounts].map(([id, account]) => [id, ownFields(account)]),
      fleets: [...books.fleets],
      day: books.day,
      total: books.total,
    }),
    load: (saved) => {
      const known = saved as Saved;
      for (const [id, account] of known.accounts) books.accounts.set(id, { ...NEW_ACCOUNT, ...account });
      for (const [name, fleet] of known.fleets) books.fleets.set(name, fleet);
      books.day = known.day;
      books.total = known.total;
    },
  };
}
