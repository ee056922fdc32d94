import type { WorkerView } from "claw-contract";
import type { Budget } from "../store/moment.ts";
import { countText, moneyText } from "../text/amounts.ts";

const shareOf = (spent: number, limit: number | undefined): number | null =>
  limit === undefined || limit <= 0 ? null : spent / limit;

/** Share of a budget above which the bar warns. */
const CLOSE = 0.8;

/** A bar that says how much of a budget is spent. */
export function BudgetBar({ budget }: { readonly budget: Budget }) {
  const { limit, spent, exceeded } = budget;
  const share = shareOf(spent.usd, limit.usd) ?? shareOf(spent.tokens, limit.tokens) ?? 0;
  const tone = exceeded.length > 0 ? "bad" : share >= CLOSE ? "asks" : "busy";
  const text =
    limit.usd === undefined
      ? `${countText(spent.tokens)} of ${countText(limit.tokens ?? 0)} tokens`
      : `${moneyText(spent.usd)} of ${moneyText(limit.usd)}`;
  return (
    <span class={`bar tone-${tone}`} role="img" aria-label={`Budget: ${text}`} title={text}>
      <i style={{ width: `${Math.min(100, Math.round(share * 100))}%` }} />
    </span>
  );
}

interface SpendingProps {
  readonly worker: Pick<WorkerView, "tokens" | "cost_usd" | "cost_estimated" | "unknown_calls">;
  readonly budget?: Budget | undefined;
}

/** Tokens and money of a worker, and the bar of its budget. */
export function Spending({ worker, budget }: SpendingProps) {
  const { tokens, cost_usd: usd, cost_estimated: isEstimated, unknown_calls: unknown } = worker;
  const doubt = [isEstimated ? "estimated from tokens" : "", unknown > 0 ? `${unknown} calls of unknown usage` : ""];
  const title = doubt.filter((text) => text !== "").join("; ");
  return (
    <span class="spending">
      <span class="money" title={title === "" ? undefined : title}>
        {isEstimated || unknown > 0 ? "≈" : ""}
        {moneyText(usd)}
        {budget?.limit.usd === undefined ? "" : <span class="faint"> / {moneyText(budget.limit.usd)}</span>}
      </span>
      <span class="tokens">{countText(tokens)} tok</span>
      {budget !== undefined && <BudgetBar budget={budget} />}
    </span>
  );
}
