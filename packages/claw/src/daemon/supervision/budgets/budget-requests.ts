import type { BudgetState, Ledger, ReplyFields } from "claw-contract";
import { BUDGET_UNITS, exceededUnits, roundAmount } from "claw-contract";
import type { BusHost, RequestHandler } from "../../../bus/index.ts";
import { error, handlePeers, ok } from "../../../bus/index.ts";
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

const viewOf = (state: BudgetState): ReplyFields<"budget.list">["budgets"][number] => ({
  scope: state.scope,
  id: state.id,
  limit: state.limit,
  spent: { usd: roundAmount(state.spent.usd), tokens: state.spent.tokens },
  exceeded: exceededUnits(state),
});

/** Requests about budgets. */
export const budgetRequests = (
  host: BusHost,
  ledger: Ledger,
  budgets: () => readonly BudgetState[],
): readonly RequestHandler[] => [
  setBudget(host, ledger),
  handlePeers("budget.list", (_call, done) => done(ok({ budgets: budgets().map(viewOf) }))),
];
