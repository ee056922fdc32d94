import type { BudgetState } from "@claw/contract";
import { BUDGET_UNITS, exceededUnits, roundAmount } from "@claw/contract";
import type { BusHost, PeerHandler } from "../../bus/index.ts";
import { ANYBODY, error, handlePeers, ok, textOf } from "../../bus/index.ts";
import type { Ledger } from "@claw/contract";
import { limitOf } from "./read-spending.ts";

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** Whether a request's limit is valid: absent, or an object whose amounts are valid. */
function isBudget(value: unknown): boolean {
  if (isNothing(value)) return true;
  if (typeof value !== "object" || Array.isArray(value)) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return BUDGET_UNITS.every((unit) => isNothing(fields[unit]) || limitOf(fields)[unit] !== undefined);
}

/** Limits a fleet, or a worker, from now on. The same limit again changes nothing. */
const setBudget = (host: BusHost, ledger: Ledger): PeerHandler =>
  handlePeers(["orchestrator"], ({ peer, request }, done) => {
    const { scope, budget } = request;
    const id = textOf(request["target"]);
    if (scope !== "fleet" && scope !== "worker") return done(error("scope has to be fleet or worker"));
    if (id === undefined) return done(error("target required"));
    if (!isBudget(budget)) return done(error("budget has to be an object with usd, tokens, or both"));
    const account = ledger.account(id);
    if (scope === "worker" && account === undefined) {
      return done(error(`no worker is called ${id}`, { code: "WORKER_NOT_FOUND" }));
    }
    const known = scope === "fleet" ? ledger.fleet(id).limit : account?.limit;
    const limit = limitOf(budget);
    if (BUDGET_UNITS.every((unit) => known?.[unit] === limit[unit])) return done(ok({ scope, id, changed: false }));
    const payload = { scope, id, budget: isNothing(budget) ? null : limit, by: peer.id, ts: host.timestamp() };
    return host.publish([{ topic: "system.budget.set", payload }], (outcome) =>
      done(outcome instanceof Error ? error("event-log:write-failed") : ok({ scope, id, changed: true })),
    );
  });

const viewOf = (state: BudgetState): Readonly<Record<string, unknown>> => ({
  scope: state.scope,
  id: state.id,
  limit: state.limit,
  spent: { usd: roundAmount(state.spent.usd), tokens: state.spent.tokens },
  exceeded: exceededUnits(state),
});

/** Requests about budgets. */
export const budgetCommands = (
  host: BusHost,
  ledger: Ledger,
  budgets: () => readonly BudgetState[],
): Readonly<Record<string, PeerHandler>> => ({
  "budget.set": setBudget(host, ledger),
  "budget.list": handlePeers(ANYBODY, (_call, done) => done(ok({ budgets: budgets().map(viewOf) }))),
});
