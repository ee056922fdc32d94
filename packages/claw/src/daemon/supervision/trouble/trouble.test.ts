import { NUDGE_WAIT_MS } from "claw-contract";
import type { TroublePlan, WorkerStateChanged } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import type { BusHost } from "../../../bus/index.ts";
import type { EventLog } from "../../../bus/log/index.ts";
import { createMemoryLog } from "../../../bus/log/index.ts";
import type { BusHarness, Frame, Joined } from "../../../bus/testing/bus-harness.ts";
import { join, request, settle, startBus, told, watch } from "../../../bus/testing/bus-harness.ts";
import { spawnedEvent } from "../../testing/spawned-event.ts";
import { createWorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { createTrouble } from "./trouble.ts";

const P = "p_0000aa";

interface Stage {
  harness: BusHarness;
  /** Reasons of the starts that were asked for. */
  readonly restarts: string[];
  /** What a start does; by default it works. */
  restart: () => Promise<void>;
  overBudget: string | undefined;
}

async function begin(trouble: Partial<TroublePlan> = {}, log: EventLog = createMemoryLog()): Promise<Stage> {
  const restarts: string[] = [];
  const registry = createWorkerRegistry();
  const extend = (host: BusHost) => [
    { name: "worker-registry", memory: registry.memory },
    createTrouble(host, {
      registry,
      restarts: {
        restart: (peerId, reason) => {
          restarts.push(reason);
          return stage.restart().then(() => emit(host, spawned(peerId, trouble, restarts.length + 1)));
        },
      },
      overBudget: () => stage.overBudget,
      jitter: () => 0,
      touch: () => undefined,
    }),
  ];
  const harness = await startBus({ extend, log });
  const stage: Stage = { harness, restarts, restart: () => Promise.resolve(), overBudget: undefined };
  await emit(harness.bus.host, spawned(P, trouble, 1));
  return stage;
}

const spawned = (peerId: string, trouble: Partial<TroublePlan>, attempt: number): [string, object] => [
  "system.worker.spawned",
  spawnedEvent(peerId, {
    attempt,
    pid: 100 + attempt,
    trouble: { stale: "nudge", hung: "nudge", crash: "restart", restarts: 2, ...trouble },
  }),
];

function emit(host: BusHost, [topic, payload]: readonly [string, object]): Promise<void> {
  return new Promise((resolve, reject) =>
    host.publish([{ topic, payload: payload as Frame }], (outcome) =>
      outcome instanceof Error ? reject(outcome) : resolve(),
    ),
  );
}

async function say(stage: Stage, topic: string, payload: Frame): Promise<void> {
  await emit(stage.harness.bus.host, [topic, payload]);
  await settle();
}

const state = (stage: Stage, name: string, more: Partial<WorkerStateChanged> = {}): Promise<void> =>
  say(stage, "system.worker.state", {
    peerId: P,
    state: name,
    previous: null,
    phase: null,
    reason: "test",
    source: "clock",
    as_of: "2026-01-01T00:00:00.000Z",
    ts: "2026-01-01T00:00:00.000Z",
    ...more,
  });

const die = (stage: Stage, pid: number): Promise<void> =>
  say(stage, "system.worker.terminated", { peerId: P, pid, exit_code: null, signal: "SIGKILL", expected: false });

async function pass({ harness }: Stage, ms: number): Promise<number> {
  harness.clock.now += ms;
  const next = harness.bus.checkDue();
  await settle();
  return next - harness.clock.now;
}

/** What was done: actions with their troubles, and commands. */
async function deeds({ harness }: Stage): Promise<string[]> {
  const watcher = await watch(harness);
  for (const topic of ["system.worker.alert", "cmd.**"]) {
    await request(watcher, { cmd: "subscribe", topic, fromCursor: "0000:0" });
  }
  await settle();
  return told(watcher).map(([topic, payload]) => {
    const { action, trouble } = payload as Frame;
    return topic === "system.worker.alert" ? `${String(action)} ${String(trouble)}` : String(topic);
  });
}

const boss = ({ harness }: Stage): Promise<Joined> => join(harness, "orchestrator");

describe("a worker that is stale or hung", () => {
  test("is nudged once, and when that changes nothing somebody is called, once", async () => {
    const stage = await begin();
    await state(stage, "stale");
    await state(stage, "stale");
    expect(await deeds(stage)).toEqual(["nudge stale", `cmd.${P}.inject_text`]);
    await pass(stage, NUDGE_WAIT_MS - 1);
    expect(await deeds(stage)).toHaveLength(2);
    for (const ms of [1, 1, NUDGE_WAIT_MS]) await pass(stage, ms);
    expect(await deeds(stage)).toEqual(["nudge stale", "alert stuck", `cmd.${P}.inject_text`]);
  });

  test("that does something again is no trouble, and its next silence is another", async () => {
    const stage = await begin();
    await state(stage, "hung");
    await state(stage, "working");
    await pass(stage, 10 * NUDGE_WAIT_MS);
    expect(await deeds(stage)).toHaveLength(2);
    await state(stage, "hung");
    expect(await deeds(stage)).toHaveLength(4);
  });

  test("is started anew when that was chosen, unless it does something before", async () => {
    const stage = await begin({ hung: "restart" });
    await state(stage, "hung");
    await state(stage, "working");
    await pass(stage, 60_000);
    expect(stage.restarts).toEqual([]);
    await state(stage, "hung");
    await pass(stage, 60_000);
    expect(stage.restarts).toEqual(["it lives and gets nowhere"]);
    await die(stage, 101);
    expect(await deeds(stage)).toEqual(["restart hung", "restart hung"]);
  });
});

describe("a worker whose process ended too early", () => {
  test("is started anew after a pause that doubles, until it was too often", async () => {
    const stage = await begin();
    for (const [pid, pauseMs] of [
      [101, 1000],
      [102, 2000],
    ] as const) {
      await die(stage, pid);
      await state(stage, "gone", { source: "process" });
      expect(await pass(stage, pauseMs - 1)).toBe(1);
      expect(stage.restarts).toHaveLength(pid - 101);
      await pass(stage, 1);
      expect(stage.restarts).toHaveLength(pid - 100);
    }
    await die(stage, 103);
    await pass(stage, 60 * 60_000);
    expect(stage.restarts).toHaveLength(2);
    expect(await deeds(stage)).toEqual(["restart crash", "restart crash", "alert crash_loop"]);
    await emit(stage.harness.bus.host, spawned(P, {}, 9));
    await die(stage, 109);
    expect((await deeds(stage)).at(-1)).toBe("restart crash");
  });

  test.each(["abort", "pause"])("after a person told it to %s is not started anew", async (order) => {
    const stage = await begin();
    const { client } = await boss(stage);
    await request(client, { cmd: "publish", topic: `cmd.${P}.${order}`, payload: { reason: "enough" } });
    await die(stage, 101);
    await pass(stage, 60_000);
    expect(stage.restarts).toEqual([]);
    expect((await deeds(stage)).filter((each) => !each.startsWith("cmd."))).toEqual(
      order === "pause" ? ["alert crash"] : [],
    );
  });

  test.each([
    ["worker.p_0000aa.complete", { result: "ok", summary: "s", artifacts: [], phases_completed: [] }],
    ["system.worker.accepted", { peerId: P, by: "p_1", ts: "2026-01-01T00:00:00.000Z" }],
    ["cmd.role.worker", { command: "abort" }],
  ])("but had %s before is no trouble, even when its start was planned", async (topic, payload) => {
    const stage = await begin();
    await die(stage, 101);
    await emit(stage.harness.bus.host, [topic, payload]);
    await die(stage, 101);
    await pass(stage, 60_000);
    expect(stage.restarts).toEqual([]);
  });

  test("and is one that came by itself is only reported", async () => {
    const stage = await begin();
    await state(stage, "gone", { peerId: "p_0000bb", source: "server" });
    await pass(stage, 60_000);
    expect([stage.restarts, await deeds(stage)]).toEqual([[], ["alert crash"]]);
  });

  test("is not started when its money is spent", async () => {
    const stage = await begin();
    await die(stage, 101);
    stage.overBudget = "budget: spent";
    await pass(stage, 60_000);
    expect([stage.restarts, await deeds(stage)]).toEqual([[], ["restart crash", "alert budget"]]);
  });

  test("and cannot be started is tried again until it was too often", async () => {
    const stage = await begin();
    stage.restart = () => Promise.reject(new Error("no room"));
    await die(stage, 101);
    for (let turn = 0; turn < 5; turn += 1) await pass(stage, 10_000);
    expect(stage.restarts).toHaveLength(2);
    expect(await deeds(stage)).toEqual(["restart crash", "restart crash", "alert crash_loop"]);
    expect(stage.harness.reports.splice(0)).toEqual(Array(2).fill(`${P} was not started anew: Error: no room`));
  });

  test("and cannot be started while nothing can be stored is not tried again at once", async () => {
    const memory = createMemoryLog();
    let full = false;
    const append: EventLog["append"] = (event, listener) =>
      full ? queueMicrotask(() => listener.failed(new Error("full"))) : memory.append(event, listener);
    const stage = await begin({}, { ...memory, append });
    stage.restart = () => Promise.reject(new Error("full"));
    await die(stage, 101);
    full = true;
    await pass(stage, 1000);
    for (let turn = 0; turn < 5; turn += 1) expect(await pass(stage, 0)).toBe(1000);
    expect(stage.restarts).toHaveLength(1);
    full = false;
    stage.restart = () => Promise.resolve();
    await pass(stage, 1000);
    expect(stage.restarts).toHaveLength(2);
    const reports = [`${P} was not started anew: Error: full`, `nothing was done about ${P}: full`];
    expect(stage.harness.reports.splice(0)).toEqual(reports);
  });

  test("because it was ended on purpose is left to whoever did that", async () => {
    const stage = await begin();
    const ended = { peerId: P, pid: 101, exit_code: null, signal: "SIGTERM", expected: true };
    await say(stage, "system.worker.terminated", ended);
    await state(stage, "failed", { source: "process" });
    await pass(stage, 60_000);
    expect([stage.restarts, await deeds(stage)]).toEqual([[], []]);
    await emit(stage.harness.bus.host, spawned(P, {}, 2));
    await die(stage, 102);
    expect(await deeds(stage)).toEqual(["restart crash"]);
  });

  test("is not held against the one that was started after it", async () => {
    const stage = await begin();
    await die(stage, 101);
    await pass(stage, 1000);
    await die(stage, 101);
    expect(await deeds(stage)).toEqual(["restart crash"]);
  });
});

test("a worker that says itself that it failed is reported, and not started anew", async () => {
  const stage = await begin();
  await state(stage, "failed", { source: "self" });
  await die(stage, 101);
  await pass(stage, 60_000);
  expect([stage.restarts, await deeds(stage)]).toEqual([[], ["alert failed"]]);
});

describe("a daemon that dies", () => {
  test("before it could do anything does it when it is back", async () => {
    const memory = createMemoryLog();
    let dead = true;
    const append: EventLog["append"] = (event, listener) =>
      dead && event.topic === "system.worker.alert"
        ? queueMicrotask(() => listener.failed(new Error("dead")))
        : memory.append(event, listener);
    const stage = await begin({}, { ...memory, append });
    await die(stage, 101);
    expect(await deeds(stage)).toEqual([]);
    expect(stage.harness.reports.splice(0)).toEqual([`nothing was done about ${P}: dead`]);
    dead = false;
    stage.harness = await stage.harness.restart();
    await settle();
    expect(await deeds(stage)).toEqual(["restart crash"]);
  });

  test("after a start was planned makes it when it is back, once", async () => {
    const stage = await begin();
    await die(stage, 101);
    stage.harness = await stage.harness.restart();
    await settle();
    expect(stage.restarts).toEqual([]);
    await pass(stage, 5000);
    await pass(stage, 5000);
    expect(stage.restarts).toHaveLength(1);
    stage.harness = await stage.harness.restart();
    await pass(stage, 60_000);
    expect([stage.restarts.length, await deeds(stage)]).toEqual([1, ["restart crash"]]);
  });

  test("in the middle of a start makes it again", async () => {
    const stage = await begin();
    await die(stage, 101);
    stage.restart = () => new Promise<void>(() => undefined);
    await pass(stage, 1000);
    await pass(stage, 60_000);
    expect(stage.restarts).toHaveLength(1);
    stage.restart = () => Promise.resolve();
    stage.harness = await stage.harness.restart();
    await pass(stage, 0);
    expect(stage.restarts).toHaveLength(2);
  });
});
