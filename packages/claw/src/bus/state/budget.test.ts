import { expect, test } from "vitest";
import type { CommittedEvent } from "./projection.ts";
import { createBudget } from "./budget.ts";

const beat = (worker: string, cost: number): CommittedEvent =>
  ({
    topic: `worker.${worker}.heartbeat`,
    from: worker,
    payload: { cost_usd: cost },
    tsServer: "2026-01-01T00:00:00.000Z",
  }) as unknown as CommittedEvent;

test("absurd costs are not forgotten by a restart", () => {
  const budget = createBudget({ thresholdsUsd: [] });
  budget.apply(beat("p_000001", Number.MAX_VALUE));
  budget.apply(beat("p_000002", Number.MAX_VALUE));
  const again = createBudget({ thresholdsUsd: [] });
  again.load(JSON.parse(JSON.stringify(budget.save())));
  expect(again.spentUsd()).toBe(budget.spentUsd());
  expect(again.spentUsd()).toBeGreaterThan(1e12);
});
