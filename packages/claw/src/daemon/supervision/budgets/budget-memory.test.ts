import { expect, test } from "vitest";
import { createWorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { createBudgetMemory, saidKey } from "./budget-memory.ts";

const dayOf = (iso: string): string => iso.slice(0, 10);

const stored = (topic: string, from: string, payload: unknown) => ({
  topic,
  from,
  payload,
  tsServer: "2026-01-01T00:00:00.000Z",
  sequence: 1,
  live: true,
});

test("a snapshot brings back the ledger and what was said", () => {
  const memory = createBudgetMemory(dayOf, createWorkerRegistry());
  const warning = { scope: "worker", id: "p_1", unit: "usd", threshold: 1 };
  memory.apply(stored("worker.p_1.heartbeat", "p_1", { cost_usd: 1.5, tokens_used: 70 }));
  memory.apply(stored("system.budget.set", "server", { scope: "fleet", id: "docs", budget: { usd: 4 } }));
  memory.apply(stored("system.budget.warning", "server", warning));
  const again = createBudgetMemory(dayOf, createWorkerRegistry());
  again.load(JSON.parse(JSON.stringify(memory.save())));
  expect(again.ledger.account("p_1")).toEqual(memory.ledger.account("p_1"));
  expect(again.ledger.account("p_1")).toMatchObject({ own: { usd: 1.5, tokens: 70 } });
  expect(again.ledger.fleet("docs")).toEqual({ limit: { usd: 4 }, spent: { usd: 0, tokens: 0 } });
  expect([again.ledger.spentOn("2026-01-01"), again.ledger.total()]).toEqual([
    { usd: 1.5, tokens: 70 },
    { usd: 1.5, tokens: 70 },
  ]);
  expect(again.wasSaid(saidKey({ ...warning, at: 1 }))).toBe(true);
  expect(again.wasSaid(saidKey({ ...warning, at: 2 }))).toBe(false);
});
