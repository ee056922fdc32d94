import type { Observer } from "claw-client";
import type { BudgetScope, ReceivedReply, VerbOutput } from "claw-contract";
import { amountText } from "claw-contract";

/** A budget limit that is reached: no more tokens or dollars may be spent. */
export type ReachedBudget = VerbOutput<"ps">["budgets_reached"][number];

/** The limits of a workspace that were reached. */
export const listReached = async (bus: Pick<Observer, "request">): Promise<ReachedBudget[]> =>
  reachedIn((await bus.request("budget.list")).budgets);

/** Limits that the given budgets have reached. */
export const reachedIn = (budgets: ReceivedReply<"budget.list">["budgets"]): ReachedBudget[] =>
  budgets.flatMap(({ scope, id, limit, spent, exceeded }) =>
    exceeded.map((unit) => ({ scope, id, unit, spent: spent[unit], limit: limit[unit] ?? 0 })),
  );

/** Whether a limit holds for a fleet or one of its workers. */
export const isOverBudget = (
  { scope, id }: ReachedBudget,
  { fleets, workers }: { readonly fleets: ReadonlySet<string>; readonly workers: ReadonlySet<string> },
): boolean => {
  if (scope === "fleet") return fleets.has(id ?? "");
  return scope === "worker" || scope === "run" ? workers.has((id ?? "").split("#")[0] ?? "") : true;
};

const WHOSE: Readonly<Record<BudgetScope, (id: string) => string>> = {
  run: (id) => `this start of ${id}`,
  worker: (id) => id,
  fleet: (id) => `the fleet ${id}`,
  day: (id) => `the day ${id}`,
  workspace: () => "the workspace",
};

/** `the budget of the fleet docs is reached: $1.05 of $1.00`. */
export function reachedText(
  { scope, id, unit, spent, limit }: ReachedBudget,
  nameOf = (worker: string) => worker,
): string {
  const [whose = ""] = (id ?? "").split("#");
  const name = scope === "worker" || scope === "run" ? nameOf(whose) : whose;
  return `the budget of ${WHOSE[scope](name)} is reached: ${amountText(spent, unit)} of ${amountText(limit, unit)}`;
}
