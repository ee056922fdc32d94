import { describe, expect, test } from "vitest";
import type { BusHost } from "../../../bus/index.ts";
import type { BusHarness, Frame, Joined } from "../../../bus/testing/bus-harness.ts";
import { join, request, settle, startBus, told, watch } from "../../../bus/testing/bus-harness.ts";
import { createMemoryLog } from "../../../bus/log/index.ts";
import type { EventLog } from "../../../bus/log/index.ts";
import { createBudgetMemory } from "./budget-memory.ts";
import type { BudgetOptions, Budgets } from "./budgets.ts";
import { createBudgets } from "./budgets.ts";
import { spawnedEvent } from "../../testing/spawned-event.ts";
import { createWorkerRegistry } from "../../worker-registry/worker-registry.ts";
import type { WorkerSpawned } from "claw-contract/schemas";

const BOOT: Frame = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };
const nameOf = (peerId: string): string => `worker ${peerId}`;
const dayOf = (iso: string): string => iso.slice(0, 10);

interface Stage {
  readonly harness: BusHarness;
  readonly budgets: () => Budgets;
  readonly boss: Joined;
}

async function begin(
  perDay: BudgetOptions["perDay"] = {},
  options: Parameters<typeof startBus>[0] = {},
): Promise<Stage> {
  const made: Budgets[] = [];
  const extend = (host: BusHost) => {
    const registry = createWorkerRegistry();
    const budgets = createBudgets(host, { perDay, nameOf, memory: createBudgetMemory(dayOf, registry) });
    made.push(budgets);
    return [{ name: "worker-registry", memory: registry.memory }, budgets.extension];
  };
  const harness = await startBus({ ...options, extend });
  const budgets = (): Budgets => {
    const last = made.at(-1);
    if (last === undefined) throw new Error("no bus was started");
    return last;
  };
  return { harness, budgets, boss: await join(harness, "orchestrator") };
}

async function spawn({ harness }: Stage, more: Partial<WorkerSpawned> = {}, nonce = "n"): Promise<Joined> {
  const worker = await join(harness, "worker", { instanceNonce: nonce });
  const payload = spawnedEvent(worker.id, more);
  harness.bus.host.publish([{ topic: "system.worker.spawned", payload }], () => undefined);
  await settle();
  await say(worker, "boot", BOOT);
  return worker;
}

const say = ({ client, id }: Joined, action: string, payload: Frame): Promise<Frame> =>
  request(client, { cmd: "publish", topic: `worker.${id}.${action}`, payload });

const beat = (worker: Joined, cost: number, tokens = 0): Promise<Frame> =>
  say(worker, "heartbeat", { current_phase: "PLAN", time_in_phase_ms: 0, tokens_used: tokens, cost_usd: cost });

const order = ({ boss }: Stage, to: Joined, action: string, payload: Frame = {}): Promise<Frame> =>
  request(boss.client, { cmd: "publish", topic: `cmd.${to.id}.${action}`, payload });

const money = (harness: BusHarness) => watch(harness, "system.budget.**", "cmd.*.abort");

const topics = (seen: [unknown, unknown][]): unknown[] => seen.map(([topic]) => topic);

describe("the limit of a worker", () => {
  test("warns at half and at four fifths, once each, and then stops it with the reason", async () => {
    const stage = await begin();
    const worker = await spawn(stage, { budget: { usd: 1 } });
    const watcher = await money(stage.harness);
    for (const cost of [0.4, 0.5, 0.6, 0.8, 0.9]) await beat(worker, cost);
    const warning = { scope: "worker", id: worker.id, unit: "usd", limit: 1 };
    expect(told(watcher)).toEqual([
      ["system.budget.warning", { ...warning, current_usd: 0.5, threshold_usd: 0.5, spent: 0.5, threshold: 0.5 }],
      ["system.budget.warning", { ...warning, current_usd: 0.8, threshold_usd: 0.8, spent: 0.8, threshold: 0.8 }],
    ]);
    await beat(worker, 1.25);
    await beat(worker, 1.5);
    expect(told(watcher).slice(2)).toMatchObject([
      [`cmd.${worker.id}.abort`, { reason: `budget: $1.25 spent, the limit of worker ${worker.id} is $1.00` }],
      ["system.budget.exceeded", { ...warning, spent: 1.25, stopped: [worker.id] }],
    ]);
  });

  test("refuses what would spend more afterwards, by every way in, and never what stops", async () => {
    const stage = await begin();
    const worker = await spawn(stage, { budget: { tokens: 100 } });
    const other = await spawn(stage, {}, "other");
    await beat(worker, 0, 100);
    const refused = { ok: false, error: `budget: 100 tokens spent, the limit of worker ${worker.id} is 100 tokens` };
    expect(await order(stage, worker, "resume")).toMatchObject(refused);
    expect(await order(stage, worker, "approve", { correlation_id: "r" })).toMatchObject(refused);
    expect(await order(stage, worker, "inject_text", { text: "go" })).toMatchObject(refused);
    expect(await order(stage, worker, "spawn", { name: "n", mission: "m" })).toMatchObject(refused);
    const { client } = stage.boss;
    const deliver = { targetPeerId: worker.id, cmdTopic: `cmd.${worker.id}.resume`, idempotencyKey: "k" };
    expect(await request(client, { cmd: "deliver-cmd", ...deliver })).toMatchObject(refused);
    const task = { cmd: "task.assign", title: "t", prompt: "p", assignee: worker.id };
    expect(await request(client, task)).toMatchObject(refused);
    const typed = { cmd: "broadcast", text: "go on", inject: true, peerId: worker.id };
    expect(await request(client, typed)).toMatchObject(refused);
    for (const [action, payload] of [
      ["abort", { reason: "cost" }],
      ["pause", {}],
      ["reject", { correlation_id: "r", reason: "cost" }],
    ] as const) {
      expect(await order(stage, worker, action, payload)).toMatchObject({ ok: true });
    }
    expect(await order(stage, other, "resume")).toMatchObject({ ok: true });
    expect(stage.budgets().spending(worker.id)).toMatchObject({ own: { tokens: 100 }, refusal: refused.error });
  });

  test("counts what its sub-workers spend, and stops all of them", async () => {
    const stage = await begin();
    const worker = await spawn(stage, { budget: { usd: 3 } });
    const below = await spawn(stage, { parent_id: worker.id }, "below");
    const done = await spawn(stage, { parent_id: worker.id }, "done");
    const watcher = await money(stage.harness);
    await say(done, "complete", { result: "ok", summary: "s", artifacts: [], phases_completed: [], total_cost_usd: 1 });
    await beat(worker, 0.25);
    await beat(below, 1.75);
    expect(told(watcher).at(-1)).toMatchObject([
      "system.budget.exceeded",
      { id: worker.id, spent: 3, stopped: [worker.id, below.id] },
    ]);
    expect(await order(stage, below, "resume")).toMatchObject({ ok: false });
  });

  test("is lifted by setting a higher one, and another start does not undo that", async () => {
    const stage = await begin();
    const worker = await spawn(stage, { budget: { usd: 1 } });
    await beat(worker, 1);
    const set = { cmd: "budget.set", scope: "worker", target: worker.id, budget: { usd: 5 } };
    expect(await request(stage.boss.client, set)).toMatchObject({ ok: true, changed: true });
    expect(await request(stage.boss.client, set)).toMatchObject({ ok: true, changed: false });
    expect(await order(stage, worker, "resume")).toMatchObject({ ok: true });
    const payload = spawnedEvent(worker.id, { attempt: 2, budget: { usd: 1 } });
    stage.harness.bus.host.publish([{ topic: "system.worker.spawned", payload }], () => undefined);
    await settle();
    expect(stage.budgets().refusal(worker.id)).toBeUndefined();
    for (const wrong of [{ usd: -1 }, { usd: "1" }, [], "1"]) {
      expect(await request(stage.boss.client, { ...set, budget: wrong })).toMatchObject({ ok: false });
    }
    expect(await request(stage.boss.client, { ...set, target: "p_nobody" })).toMatchObject({
      code: "WORKER_NOT_FOUND",
    });
  });
});

describe("a worker that boots again under its resume token", () => {
  const RESUMES = { peerName: "w", capabilities: ["resume"] };

  test("has the sums of its new process added to what it spent before", async () => {
    const stage = await begin({}, { budget: { thresholdsUsd: [], capUsd: 9 } });
    const client = stage.harness.transport.connect();
    const hello = { cmd: "hello", protocol: "claws/2", role: "worker", ...RESUMES };
    const { peerId, resumeToken } = await request(client, hello);
    const first: Joined = { client, id: String(peerId), reply: {} };
    await say(first, "boot", BOOT);
    await beat(first, 5, 50);
    client.close();
    const again = stage.harness.transport.connect();
    expect(await request(again, { ...hello, resumeToken })).toMatchObject({ peerId, restored: true });
    const second: Joined = { ...first, client: again };
    expect(await say(second, "boot", BOOT)).toMatchObject({ ok: false, error: "gate: a second boot" });
    await beat(second, 3, 30);
    await beat(second, 2, 20);
    expect(stage.budgets().spending(first.id)).toMatchObject({ own: { usd: 8, tokens: 80 } });
    expect(stage.budgets().refusal(undefined)).toBeUndefined();
    await beat(second, 4, 40);
    expect(stage.budgets().refusal(undefined)).toBe("budget: $9.00 spent, the limit of this workspace is $9.00");
  });

  test("does not begin another run by it", async () => {
    const stage = await begin();
    const worker = await spawn(stage, { budget: { run: { usd: 2 } } });
    await beat(worker, 1.5);
    await say(worker, "boot", BOOT);
    await beat(worker, 0.5);
    expect(stage.budgets().refusal(worker.id)).toContain(`$2.00 spent, the limit of this run of worker ${worker.id}`);
  });
});

describe("other limits", () => {
  test("of one run begin anew with the next, those of the worker do not", async () => {
    const stage = await begin();
    const worker = await spawn(stage, { budget: { usd: 5, run: { usd: 2 } } });
    const watcher = await money(stage.harness);
    await beat(worker, 2);
    expect(told(watcher).at(-1)).toMatchObject(["system.budget.exceeded", { scope: "run", id: `${worker.id}#1` }]);
    await spawn(stage, { attempt: 2, budget: { usd: 5, run: { usd: 2 } } });
    expect(stage.budgets().refusal(worker.id)).toBeUndefined();
    expect(stage.budgets().spending(worker.id)?.own.usd).toBe(2);
  });

  test("of a fleet stop everybody in it in one go, and whoever joins it later as soon as it spends", async () => {
    const stage = await begin();
    const set = { cmd: "budget.set", scope: "fleet", target: "docs", budget: { usd: 2 } };
    await request(stage.boss.client, set);
    const one = await spawn(stage, { fleet: "docs" }, "1");
    const two = await spawn(stage, { fleet: "docs" }, "2");
    const other = await spawn(stage, {}, "3");
    const watcher = await watch(stage.harness, "system.budget.exceeded", "cmd.*.abort");
    await beat(other, 9);
    await beat(one, 1);
    await beat(two, 1);
    expect(topics(told(watcher))).toEqual([`cmd.${one.id}.abort`, `cmd.${two.id}.abort`, "system.budget.exceeded"]);
    const late = await spawn(stage, { fleet: "docs" }, "4");
    expect(told(watcher).slice(3)).toMatchObject([
      [`cmd.${late.id}.abort`, {}],
      ["system.budget.exceeded", { scope: "fleet", id: "docs", stopped: [late.id] }],
    ]);
    const request1 = { harness: "fake", model: null, budget: null, parent_id: null } as const;
    expect(stage.budgets().refuseSpawn({ ...request1, fleet: "docs" })).toMatchObject({ code: "BUDGET_EXCEEDED" });
    expect(stage.budgets().refuseSpawn({ ...request1, fleet: null })).toBeUndefined();
    expect(stage.budgets().refuseSpawn({ ...request1, parent_id: one.id, fleet: null })).toMatchObject({
      code: "BUDGET_EXCEEDED",
    });
  });

  test("of a day hold for that day alone", async () => {
    const stage = await begin({ tokens: 100 });
    const worker = await spawn(stage);
    const watcher = await watch(stage.harness, "system.budget.exceeded");
    await beat(worker, 0, 100);
    expect(told(watcher)).toMatchObject([["system.budget.exceeded", { scope: "day", id: "2026-01-01" }]]);
    expect(stage.budgets().refusal(undefined)).toMatch("100 tokens");
    stage.harness.clock.now += 24 * 60 * 60 * 1000;
    expect(stage.budgets().refusal(undefined)).toBeUndefined();
    await spawn(stage, { attempt: 2 });
    await beat(worker, 0, 99);
    expect(told(watcher)).toHaveLength(1);
  });

  test("of the workspace stop everybody too, and the bus warns of it", async () => {
    const stage = await begin({}, { budget: { thresholdsUsd: [1], capUsd: 2 } });
    const worker = await spawn(stage);
    const watcher = await money(stage.harness);
    await beat(worker, 2);
    expect(new Set(topics(told(watcher)))).toEqual(
      new Set([`cmd.${worker.id}.abort`, "system.budget.exceeded", "system.budget.warning"]),
    );
  });
});

test("a limit in dollars needs a model whose price is known, or an agent that names its model first", async () => {
  const { budgets } = await begin();
  const ask = { parent_id: null, fleet: null, budget: { usd: 1 } };
  expect(budgets().refuseSpawn({ ...ask, harness: "claude-code", model: null })).toBeUndefined();
  expect(budgets().refuseSpawn({ ...ask, harness: "codex", model: "no-such-model" })).toMatchObject({
    code: "BUDGET_UNMEASURABLE",
  });
  for (const [harness, model] of [
    ["claude-code", "my-model"],
    ["claw", null],
  ] as const) {
    expect(budgets().refuseSpawn({ ...ask, harness, model })).toMatchObject({ code: "BUDGET_UNMEASURABLE" });
  }
  for (const [harness, model] of [
    ["codex", null],
    ["claude-code", "opus[1m]"],
    ["claude-code", "claude-sonnet-5-5"],
    ["codex", "gpt-5.5"],
  ] as const) {
    expect(budgets().refuseSpawn({ ...ask, harness, model })).toBeUndefined();
  }
  expect(budgets().refuseSpawn({ ...ask, budget: { tokens: 1 }, harness: "codex", model: null })).toBe(undefined);
});

describe("a model whose price turns out to be unknown", () => {
  const named = (worker: Joined, model: string): Promise<Frame> =>
    say(worker, "heartbeat", { current_phase: "PLAN", time_in_phase_ms: 0, tokens_used: 0, cost_usd: 0, model });

  test("pauses a worker that has a limit in dollars, once, and says why and what to do", async () => {
    const stage = await begin();
    const worker = await spawn(stage, { budget: { usd: 1 } });
    const watcher = await watch(stage.harness, "system.budget.**", "cmd.*.pause");
    await named(worker, "claude-opus-5-5[1m]");
    expect(told(watcher)).toEqual([]);
    await named(worker, "my-model");
    await named(worker, "my-model");
    const reason = expect.stringMatching(/price of my-model is not known.*`prices`.*claw resume/);
    expect(told(watcher)).toMatchObject([
      [`cmd.${worker.id}.pause`, { reason }],
      ["system.budget.unmeasurable", { id: worker.id, model: "my-model", reason }],
    ]);
  });

  test("stops nobody without such a limit", async () => {
    const stage = await begin({ usd: 5 });
    const worker = await spawn(stage, { budget: { tokens: 100 } });
    const watcher = await watch(stage.harness, "system.budget.**", "cmd.*.pause");
    await named(worker, "my-model");
    expect(told(watcher)).toEqual([]);
  });
});

test("what a life could not report is spent as well", async () => {
  const stage = await begin();
  const worker = await spawn(stage, { budget: { usd: 1 } });
  await beat(worker, 0.4, 10);
  const unreported = { tokens: 90, cost_usd: 0.3, unknown_calls: 1 };
  const payload = { peerId: worker.id, pid: 1, exit_code: null, signal: "SIGKILL", expected: false, unreported };
  stage.harness.bus.host.publish([{ topic: "system.worker.terminated", payload }], () => undefined);
  await settle();
  expect(stage.budgets().spending(worker.id)?.own).toEqual({ usd: expect.closeTo(0.7), tokens: 100 });
  expect(stage.harness.bus.host.budget.spentUsd()).toBeCloseTo(0.7);
});

/** A log that loses everything the server appends from the nth such event on, as if the process had died there. */
function dyingLog(log: EventLog, survives: () => number): EventLog {
  let appended = 0;
  return {
    ...log,
    append: (event, listener) => {
      const isOurs = event.topic.startsWith("system.budget.") || event.topic.endsWith(".abort");
      if (isOurs && (appended += 1) > survives()) return queueMicrotask(() => listener.failed(new Error("dead")));
      return log.append(event, listener);
    },
  };
}

test.each([0, 1, 2, 3, 4])("a crash after %i of what follows loses nothing of it", async (survives) => {
  const memory = createMemoryLog();
  let left = survives;
  const stage = await begin({}, { log: dyingLog(memory, () => left) });
  const worker = await spawn(stage, { budget: { usd: 1 } });
  await beat(worker, 1);
  left = Infinity;
  const again = await stage.harness.restart();
  await settle();
  const watcher = await watch(again, "none");
  await request(watcher, { cmd: "subscribe", topic: "**", fromCursor: "0000:0" });
  await settle();
  const count = (topic: string): number => topics(told(watcher)).filter((each) => each === topic).length;
  expect(count("system.budget.warning")).toBe(2);
  expect(count("system.budget.exceeded")).toBe(1);
  expect(count(`cmd.${worker.id}.abort`)).toBeGreaterThanOrEqual(1);
  expect(stage.budgets().refusal(worker.id)).toMatch("$1.00 spent");
  expect(new Set(stage.harness.reports.splice(0))).toEqual(
    new Set(survives < 4 ? ["a limit was not enforced: dead"] : []),
  );
});
