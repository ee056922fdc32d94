import { LIMITS } from "claw-contract";
import { WorkerStateChanged } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import type { BusHost } from "../../../bus/index.ts";
import type { BusHarness, Frame, Joined } from "../../../bus/testing/bus-harness.ts";
import { join, request, settle, startBus, told } from "../../../bus/testing/bus-harness.ts";
import { createWorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { createStates } from "./states.ts";

const extend = (host: BusHost) => {
  const registry = createWorkerRegistry();
  return [{ name: "worker-registry", memory: registry.memory }, createStates(host, registry).extension];
};

const tell = ({ bus }: Pick<BusHarness, "bus">, topic: string, payload: Frame): void =>
  bus.host.publish([{ topic, payload }], () => undefined);

const BOOT: Frame = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };
const PLAN: Frame = { phase: "PLAN", prev: null, transition_reason: "begin", phases_completed: [] };
const COMPLETE: Frame = { result: "ok", summary: "done", artifacts: [], phases_completed: [] };
const beat = (tokens: number): Frame => ({
  current_phase: "PLAN",
  time_in_phase_ms: 0,
  tokens_used: tokens,
  cost_usd: 0,
});

const say = ({ client, id }: Joined, action: string, payload: Frame): Promise<Frame> =>
  request(client, { cmd: "publish", topic: `worker.${id}.${action}`, payload });

/** A worker that came by itself and has begun. */
async function begin(): Promise<[BusHarness, Joined]> {
  const harness = await startBus({ extend });
  const worker = await join(harness, "worker", { peerName: "guest", instanceNonce: "n" });
  await say(worker, "boot", BOOT);
  await say(worker, "phase", PLAN);
  return [harness, worker];
}

/** States that were told, in order, with what they follow. */
async function changes(harness: BusHarness): Promise<Frame[]> {
  const { client } = await join(harness, "observer");
  await request(client, { cmd: "subscribe", topic: "system.worker.state", fromCursor: "0000:0" });
  await settle();
  return told(client).map(([, payload]) => payload as Frame);
}

const list = async (harness: BusHarness): Promise<Frame[]> => {
  const { client } = await join(harness, "observer");
  return (await request(client, { cmd: "worker.list" }))["workers"] as Frame[];
};

async function pass(harness: BusHarness, ms: number): Promise<number> {
  harness.clock.now += ms;
  const next = harness.bus.checkDue();
  await settle();
  return next;
}

const SPAWNED: Frame = {
  peerId: "p_0000aa",
  name: "audit",
  harness: "fake",
  mode: "headless",
  mission: "m",
  model: null,
  cwd: "/",
  parent_id: "p_000001",
  fleet: null,
  bootId: "b",
  attempt: 1,
  pid: 4,
  worktree: null,
  checks: [],
  budget: null,
  trouble: { stale: "alert", hung: "alert", crash: "alert", restarts: 0 },
  folder: "/x",
  ts: "2026-01-01T00:00:00.000Z",
};

async function spawn({ bus }: BusHarness, more: Frame = {}): Promise<void> {
  tell({ bus }, "system.worker.spawned", { ...SPAWNED, ...more });
  await settle();
}

describe("telling", () => {
  test("every state once, as the schema has it, with what it follows from", async () => {
    const [harness, worker] = await begin();
    await say(worker, "heartbeat", beat(1));
    await say(worker, "event", { kind: "BLOCKED", severity: "warn", message: "no port" });
    await say(worker, "complete", COMPLETE);
    const found = await changes(harness);
    expect(found.map(({ previous, state, reason }) => [previous, state, reason])).toEqual([
      [null, "starting", "it has booted"],
      ["starting", "working", "it is in PLAN"],
      ["working", "blocked", "no port"],
      ["blocked", "finished", "done"],
    ]);
    for (const change of found) expect(WorkerStateChanged.safeParse(change).success).toBe(true);
    expect(found.at(-1)).toMatchObject({ peerId: worker.id, source: "self", phase: "PLAN" });
  });

  test("silence is told by the clock, in time, and only once", async () => {
    const [harness, worker] = await begin();
    const due = await pass(harness, LIMITS.stateReasonMs);
    expect(due).toBe(harness.clock.now - LIMITS.stateReasonMs + LIMITS.staleMs + 1);
    await pass(harness, due - harness.clock.now);
    await pass(harness, 1000);
    await pass(harness, 1000);
    expect((await changes(harness)).slice(-2).map(({ state }) => state)).toEqual(["working", "stale"]);
    await say(worker, "heartbeat", beat(1));
    expect((await changes(harness)).at(-1)).toMatchObject({ previous: "stale", state: "working" });
  });

  test("a frame that is no event is a sign of life too", async () => {
    const [harness, worker] = await begin();
    harness.clock.now += LIMITS.staleMs;
    await request(worker.client, { cmd: "ping" });
    await pass(harness, 1000);
    expect((await list(harness))[0]).toMatchObject({ state: "working" });
  });

  test("reasons alone are told seldom, and the last one always", async () => {
    const [harness, worker] = await begin();
    const ask = (number: number): Promise<Frame> =>
      say(worker, "event", { kind: "REQUEST", severity: "info", message: `Q${number}`, request_id: `r${number}` });
    for (const number of [1, 2, 3, 4]) await ask(number);
    expect((await changes(harness)).at(-1)).toMatchObject({ state: "needs_input", reason: "Q1" });
    expect(await pass(harness, 1)).toBeLessThanOrEqual(harness.clock.now - 1 + LIMITS.stateReasonMs);
    await pass(harness, LIMITS.stateReasonMs);
    const found = (await changes(harness)).map(({ reason }) => reason);
    expect(found.slice(-2)).toEqual(["Q1", "Q1 (and 3 more)"]);
  });
});

describe("after a restart", () => {
  test("everybody keeps a state of its own age; whoever does not come back turns stale, then gone", async () => {
    const [harness] = await begin();
    const [before] = await list(harness);
    harness.clock.now += 60 * 60_000;
    const restarted = await harness.restart();
    await pass(restarted, 0);
    expect((await list(restarted))[0]).toMatchObject({ state: "working", as_of: before?.["as_of"] });
    await pass(restarted, LIMITS.staleMs + 1);
    expect((await list(restarted))[0]).toMatchObject({ state: "stale", source: "clock" });
    await pass(restarted, LIMITS.returnGraceMs);
    await pass(restarted, LIMITS.returnGraceMs + 1);
    expect((await list(restarted))[0]).toMatchObject({ state: "gone" });
    expect((await changes(restarted)).map(({ state }) => state)).toEqual(["starting", "working", "stale", "gone"]);
  });

  test("what a crash kept from being told is told", async () => {
    const [harness, worker] = await begin();
    const quiet = await startBus({ log: harness.log });
    tell(quiet, "system.worker.terminated", { peerId: worker.id, exit_code: 1 });
    await settle();
    expect((await changes(harness)).at(-1)).toMatchObject({ state: "working" });
    const restarted = await harness.restart();
    await settle();
    expect((await changes(restarted)).at(-1)).toMatchObject({
      state: "failed",
      source: "process",
      previous: "working",
    });
    const again = await restarted.restart();
    await settle();
    expect(await changes(again)).toEqual(await changes(restarted));
  });
});

describe("asking", () => {
  test("anybody is told of everybody, oldest first", async () => {
    const harness = await startBus({ extend });
    await spawn(harness);
    await join(harness, "worker", { peerName: "guest" });
    const views = await list(harness);
    expect(views.map(({ name, state, parent_id }) => [name, state, parent_id])).toEqual([
      ["audit", "starting", "p_000001"],
      ["guest", "starting", null],
    ]);
    const { client } = await join(harness, "worker");
    expect(await request(client, { cmd: "worker.list" })).toMatchObject({ ok: true });
  });

  test("workers that ended long ago are counted only when asked so, of one fleet or of all, after a restart too", async () => {
    const harness = await startBus({ extend });
    await spawn(harness, { peerId: "p_0000aa", name: "old", fleet: "night" });
    await spawn(harness, { peerId: "p_0000ab", name: "other" });
    for (const peerId of ["p_0000aa", "p_0000ab"]) tell(harness, "system.worker.terminated", { peerId, exit_code: 1 });
    await settle();
    await pass(harness, 10_000);
    await spawn(harness, { peerId: "p_0000ac", name: "new", fleet: "night" });
    tell(harness, "system.worker.terminated", { peerId: "p_0000ac", exit_code: 1 });
    await spawn(harness, { peerId: "p_0000ad", name: "alive" });
    for (const bus of [harness, await harness.restart()]) {
      const { client } = await join(bus, "observer");
      const listed = async (fields: Frame): Promise<unknown[]> => {
        const { workers, hidden } = await request(client, { cmd: "worker.list", ...fields });
        return [(workers as Frame[]).map(({ name }) => name), hidden];
      };
      const everybody = ["old", "other", "new", "alive"];
      expect(await listed({})).toEqual([everybody, undefined]);
      expect(await listed({ fleet: "night" })).toEqual([["old", "new"], undefined]);
      expect(await listed({ endedWithinMs: 9999 })).toEqual([["new", "alive"], 2]);
      expect(await listed({ endedWithinMs: 10_000 })).toEqual([everybody, 0]);
      expect(await listed({ endedWithinMs: 9999, fleet: "night" })).toEqual([["new"], 1]);
      expect(await listed({ endedWithinMs: 9999, fleet: "day" })).toEqual([[], 0]);
      for (const endedWithinMs of [-1, 0.5, "1", null]) {
        expect(await request(client, { cmd: "worker.list", endedWithinMs })).toMatchObject({ ok: false });
      }
    }
  });

  test("one worker is shown with its changes and children, by id or name", async () => {
    const harness = await startBus({ extend });
    await spawn(harness);
    await spawn(harness, { peerId: "p_0000ab", name: "child", parent_id: "p_0000aa" });
    const { client } = await join(harness, "observer");
    for (const workerId of ["p_0000aa", "audit"]) {
      expect(await request(client, { cmd: "worker.show", workerId })).toMatchObject({
        worker: { peer_id: "p_0000aa" },
        changes: [{ state: "starting", previous: null }],
        children: [{ name: "child" }],
      });
    }
    const refused = { ok: false, code: "WORKER_NOT_FOUND" };
    expect(await request(client, { cmd: "worker.show", workerId: "nobody" })).toMatchObject(refused);
    expect(await request(client, { cmd: "worker.show" })).toMatchObject(refused);
  });

  test("only so many of the ended are kept, and so many changes of each", async () => {
    const harness = await startBus({ extend });
    await spawn(harness);
    for (let attempt = 2; attempt < LIMITS.stateChanges + 5; attempt += 1) {
      tell(harness, "system.worker.terminated", { peerId: "p_0000aa", exit_code: 1 });
      await spawn(harness, { attempt });
    }
    const { client } = await join(harness, "observer");
    const shown = await request(client, { cmd: "worker.show", workerId: "audit" });
    expect(shown["changes"]).toHaveLength(LIMITS.stateChanges);
    for (let number = 0; number <= LIMITS.endedWorkers; number += 1) {
      const peerId = `p_1${number}`;
      tell(harness, "system.worker.spawned", { ...SPAWNED, peerId, name: peerId });
      tell(harness, "system.worker.terminated", { peerId });
    }
    await settle();
    const names = (await list(harness)).map(({ name }) => name);
    expect(names).toHaveLength(LIMITS.endedWorkers + 1);
    expect(names.slice(0, 2)).toEqual(["audit", "p_11"]);
  });

  test("an older worker that connects anew for every word is one worker, under the name it speaks by", async () => {
    const harness = await startBus({ extend, policy: "compat" });
    for (const [action, payload] of [
      ["boot", BOOT],
      ["phase", PLAN],
      ["heartbeat", beat(5)],
    ] as const) {
      const { client } = await join(harness, "worker", { peerName: "sdk-worker" });
      await request(client, { cmd: "publish", topic: `worker.term-7.${action}`, payload });
      client.close();
      await settle();
    }
    await pass(harness, 1000);
    const views = await list(harness);
    expect(views.map(({ peer_id, state, tokens }) => [peer_id, state, tokens])).toEqual([["term-7", "working", 5]]);
    expect((await changes(harness)).map(({ peerId }) => peerId)).toEqual(["term-7", "term-7"]);
  });
});
