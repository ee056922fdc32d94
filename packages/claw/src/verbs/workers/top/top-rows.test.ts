import type { WorkerView } from "claw-contract";
import { newWorker, workerViewOf } from "claw-contract";
import { expect, test } from "vitest";
import type { TopMoment } from "./top-list.ts";
import { topRows } from "./top-rows.ts";
import { NEW_STATE, withMoment } from "./top-state.ts";

const NOW = Date.parse("2026-03-04T14:00:00.000Z");
const LONG = "patient-with-a-rather-long-name";

const worker = (id: string, more: Partial<WorkerView>): WorkerView => ({
  ...workerViewOf(newWorker(id, NOW)),
  state: "working",
  as_of: "2026-03-04T13:59:30.000Z",
  ...more,
});

const MOMENT: TopMoment = {
  ts: "2026-03-04T14:00:00.000Z",
  cursor: "0001:1",
  oldest: "0001:0",
  head: "0001:1",
  workers: [
    worker("p_1", { name: "lead", cost_usd: 0.048, cost_estimated: true }),
    worker("p_2", { name: LONG, cost_usd: 110.5, parent_id: "p_1" }),
  ],
  hidden: 0,
  approvals: [],
  budgets: [
    { scope: "worker", id: "p_1", limit: { usd: 20 }, spent: { usd: 0.048, tokens: 0 }, exceeded: [] },
    {
      scope: "worker",
      id: "p_2",
      limit: { usd: 100 },
      spent: { usd: 110.5, tokens: 0 },
      exceeded: ["usd"],
      since: "2026-03-04T13:48:00.000Z",
    },
  ],
  reports: [],
  alerts: [],
};

const shownAt = (columns: number): string[] =>
  topRows(withMoment(NEW_STATE, MOMENT), { columns, rows: 24 }, NOW).map((row) =>
    row
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );

const rowOf = (columns: number, what: RegExp): string => shownAt(columns).find((row) => what.test(row)) ?? "";

test.each([
  [80, /lead .*~\$0\.0480\/\$20\.00/, /patient-with-.* \$110\.50\/\$100\.00/],
  [120, /lead .*~\$0\.0480 of \$20\.00/, /patient-with-a-rather-.* \$110\.50 of \$100\.00/],
  [200, /lead .*~\$0\.0480 of \$20\.00/, /patient-with-a-rather-long-name .* \$110\.50 of \$100\.00/],
])("%i columns have room for cost and budget, and for as much of a name as fits", (columns, lead, child) => {
  expect([rowOf(columns, lead), rowOf(columns, child)]).not.toContain("");
  expect(Math.max(...shownAt(columns).map((row) => row.length))).toBeLessThanOrEqual(columns);
});

test("a budget that is reached waits since it was", () => {
  expect(rowOf(80, /the budget is reached: usd/)).toMatch(/budget +12m/);
});
