import { useMemo } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { Notice, Shell } from "../../parts/notice.tsx";
import { BudgetBar } from "../../parts/spending.tsx";
import type { Budget } from "../../store/moment.ts";
import { countText, moneyText } from "../../text/amounts.ts";
import { inertLine } from "../../text/inert.ts";
import { CostChart } from "./cost-chart.tsx";
import type { CostSum } from "./cost-sums.ts";
import { costSteps, sumsBy } from "./cost-sums.ts";

const MINUTE_MS = 60_000;
/** The chart is drawn anew at most this often. */
const REDRAWN_MS = 3000;

function Sums({ title, sums }: { readonly title: string; readonly sums: readonly CostSum[] }) {
  const most = Math.max(...sums.map(({ costUsd }) => costUsd), 1e-9);
  return (
    <section>
      <h2>{title}</h2>
      <table class="sums">
        <thead class="unseen">
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">Cost</th>
            <th scope="col">Tokens</th>
          </tr>
        </thead>
        <tbody>
          {sums.map(({ name, costUsd, isEstimate, tokens, workers }) => (
            <tr key={name}>
              <th scope="row">
                {inertLine(name, 60)}
                {workers > 1 && <span class="faint"> {workers} workers</span>}
                <span class="sum-bar" style={{ width: `${Math.round((costUsd / most) * 100)}%` }} />
              </th>
              <td title={isEstimate ? "estimated from tokens, in part at least" : undefined}>
                {isEstimate && "≈"}
                {moneyText(costUsd)}
              </td>
              <td class="faint">{countText(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const nameOfBudget = ({ scope, id }: Budget, names: ReadonlyMap<string, string>): string =>
  id === null ? scope : `${scope} ${names.get(id.split("#")[0] ?? "") ?? id}`;

function Budgets({
  budgets,
  names,
}: {
  readonly budgets: readonly Budget[];
  readonly names: ReadonlyMap<string, string>;
}) {
  return (
    <section>
      <h2>Budgets</h2>
      {budgets.length === 0 && (
        <p class="faint">
          None. Set one: <Shell>claw up --budget-usd-per-day 20</Shell>
        </p>
      )}
      {budgets.map((budget) => (
        <div key={`${budget.scope} ${budget.id}`} class="budget">
          <span>{inertLine(nameOfBudget(budget, names), 80)}</span>
          <span>
            {budget.limit.usd === undefined
              ? `${countText(budget.spent.tokens)} of ${countText(budget.limit.tokens ?? 0)} tokens`
              : `${moneyText(budget.spent.usd)} of ${moneyText(budget.limit.usd)}`}
          </span>
          <BudgetBar budget={budget} />
        </div>
      ))}
    </section>
  );
}

/** Budgets that limit all workers together. */
const isForAll = ({ scope, limit }: Budget): boolean =>
  (scope === "workspace" || scope === "day") && limit.usd !== undefined;

const NothingSpent = () => (
  <Notice title="Nothing was spent yet">
    <p>What workers cost is summed here, by worker, model and fleet. Start one, with a limit if you like:</p>
    <p>
      <Shell>{'claw spawn --budget-usd 2 "fix the failing test"'}</Shell>
    </p>
  </Notice>
);

/** What was spent: over time, by worker, model and fleet, and against budgets. */
export function CostView() {
  const { store } = usePage();
  const moment = store.moment.value;
  const workers = moment?.workers ?? [];
  const budgets = moment?.budgets ?? [];
  const now = store.past.value === null ? store.now.value : Date.parse(moment?.ts ?? "");
  const isPast = store.past.value !== null;
  const minute = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  const steps = useMemo(
    () => costSteps(isPast ? store.events.rows.filter(({ at }) => at <= now) : store.events.rows, minute),
    [minute, isPast ? now : Math.floor(now / REDRAWN_MS), store.eventsVersion.value > 0, store],
  );
  const limits = useMemo(
    () => budgets.filter(isForAll).map(({ scope, limit }) => ({ name: scope, usd: limit.usd ?? 0 })),
    [budgets],
  );
  if (workers.length === 0) return <NothingSpent />;
  const names = new Map(workers.map(({ peer_id: id, name }) => [id, name]));
  const total = workers.reduce((sum, { cost_usd: usd }) => sum + usd, 0);
  return (
    <div class="view scroll cost" tabIndex={0}>
      <h1>
        Cost{" "}
        <span class="faint">
          {workers.some(({ cost_estimated: isEstimate }) => isEstimate) && "≈"}
          {moneyText(total)}
        </span>
      </h1>
      <CostChart steps={steps} limits={limits} />
      <div class="cost-parts">
        <Sums title="By worker" sums={sumsBy(workers, ({ name }) => name)} />
        <Sums title="By model" sums={sumsBy(workers, ({ model, harness }) => model ?? harness ?? "unknown")} />
        <Sums title="By fleet" sums={sumsBy(workers, ({ fleet }) => fleet ?? "no fleet")} />
        <Budgets budgets={budgets} names={names} />
      </div>
    </div>
  );
}
