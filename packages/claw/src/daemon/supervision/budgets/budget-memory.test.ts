import { expect, test, afterEach, vi } from "vitest";
import { createWorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { createBudgetMemory, saidKey, localDay, utcDay } from "./budget-memory.ts";

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

test("a budget tells since when it is reached, also after a restart", () => {
  const memory = createBudgetMemory(dayOf, createWorkerRegistry());
  const reached = { scope: "worker", id: "p_1", unit: "usd", limit: 1 };
  memory.apply(stored("system.budget.exceeded", "server", reached));
  memory.apply({ ...stored("system.budget.exceeded", "server", reached), tsServer: "2026-01-01T00:09:00.000Z" });
  const again = createBudgetMemory(dayOf, createWorkerRegistry());
  again.load(JSON.parse(JSON.stringify(memory.save())));
  const state = { scope: "worker", id: "p_1", limit: { usd: 1 }, spent: { usd: 2, tokens: 0 } } as const;
  for (const each of [memory, again]) {
    expect(each.reachedAt(state)).toBe("2026-01-01T00:00:00.000Z");
    expect(each.reachedAt({ ...state, limit: { usd: 3 } })).toBeUndefined();
    expect(each.reachedAt({ ...state, limit: { usd: 1.5 } })).toBeUndefined();
  }
  const old = createBudgetMemory(dayOf, createWorkerRegistry());
  const { reached: _reached, ...ofOlderClaw } = memory.save() as Record<string, unknown>;
  old.load(ofOlderClaw);
  expect([old.wasSaid(saidKey({ ...reached, at: 1 })), old.reachedAt(state)]).toEqual([true, undefined]);
});

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["Pacific/Kiritimati", "2026-01-31T09:59:59.999Z", "2026-01-31"],
  ["Pacific/Kiritimati", "2026-01-31T10:00:00.000Z", "2026-02-01"],
  ["America/Los_Angeles", "2026-01-01T07:59:59.999Z", "2025-12-31"],
  ["America/Los_Angeles", "2026-01-01T08:00:00.000Z", "2026-01-01"],
  ["UTC", "2026-03-05T00:00:00.000Z", "2026-03-05"],
  ["UTC", "2026-10-09T23:59:59.999Z", "2026-10-09"],
  ["UTC", "2026-11-10T12:00:00.000Z", "2026-11-10"],
])("in %s, %s is on %s", (zone, iso, day) => {
  vi.stubEnv("TZ", zone);
  expect(localDay(iso)).toBe(day);
});

test.each(["Pacific/Kiritimati", "America/Los_Angeles", "UTC"])(
  "in %s too, the day of a cluster is that of UTC",
  (zone) => {
    vi.stubEnv("TZ", zone);
    expect(
      ["2026-01-31T00:00:00.000Z", "2026-01-31T23:59:59.999Z", "2026-01-31T23:30:00.000-02:00"].map(utcDay),
    ).toEqual(["2026-01-31", "2026-01-31", "2026-02-01"]);
  },
);
