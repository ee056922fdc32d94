import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { BusHarness, Frame, Joined } from "../testing/bus-harness.ts";
import { join, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

const say = ({ client, id }: Joined, action: string, payload: Frame): Promise<Frame> =>
  request(client, { cmd: "publish", topic: `worker.${id}.${action}`, payload });

const phase = (to: string, prev: string | null): Frame => ({
  phase: to,
  prev,
  transition_reason: "test",
  phases_completed: [],
});

const COMPLETE: Frame = { result: "failed", summary: "x", artifacts: [], phases_completed: [] };
const FATAL: Frame = { kind: "ERROR", severity: "fatal", message: "gone" };

async function crew(): Promise<[BusHarness, Joined, Joined]> {
  const harness = await startBus();
  return [harness, await join(harness, "orchestrator"), await join(harness, "worker", { instanceNonce: "n" })];
}

/** Publishes each and returns what it was refused for; null when it was not. */
async function refusals(worker: Joined, events: readonly (readonly [string, Frame])[]): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const [action, payload] of events) errors.push((await say(worker, action, payload))["error"] ?? null);
  return errors;
}

describe("a worker's order", () => {
  test.each([
    ["in any phase", [["phase", phase("PLAN", null)]]],
    [
      "in REFLECT",
      [
        ["phase", phase("PLAN", null)],
        ["phase", phase("SPAWN", "PLAN")],
      ],
    ],
    [
      "in FAILED",
      [
        ["phase", phase("PLAN", null)],
        ["phase", phase("FAILED", "PLAN")],
      ],
    ],
    ["before anything else", []],
  ] as const)("has room for one complete %s", async (_where, events) => {
    const [harness, , worker] = await crew();
    const watcher = await watch(harness, "system.gate.fired");
    expect(new Set(await refusals(worker, events))).toEqual(new Set(events.map(() => null)));
    expect(
      await refusals(worker, [
        ["complete", COMPLETE],
        ["complete", COMPLETE],
      ]),
    ).toEqual([null, "gate: a second complete"]);
    const topic = `worker.${worker.id}.complete`;
    expect(told(watcher)).toEqual([
      ["system.gate.fired", { tool: "publish", reason: "a second complete", peerId: worker.id, topic }],
    ]);
  });

  test("has no room for a fatal error after complete; what is not fatal may follow", async () => {
    const [harness, , worker] = await crew();
    const watcher = await watch(harness, "system.gate.fired");
    expect(
      await refusals(worker, [
        ["complete", COMPLETE],
        ["event", FATAL],
        ["event", { ...FATAL, severity: "error" }],
      ]),
    ).toEqual([null, "gate: a fatal error after complete", null]);
    expect(told(watcher)).toMatchObject([["system.gate.fired", { reason: "a fatal error after complete" }]]);
  });

  test("has no room for complete after a fatal error, whatever the phase", async () => {
    const [, , worker] = await crew();
    const events = [
      ["phase", phase("PLAN", null)],
      ["phase", phase("FAILED", "PLAN")],
      ["event", FATAL],
    ] as const;
    expect(await refusals(worker, [...events, ["complete", COMPLETE]])).toEqual([
      null,
      null,
      null,
      "gate: complete after a fatal error",
    ]);
  });

  test("is left by a phase that names another one before it, or none", async () => {
    const [, , worker] = await crew();
    const events = [
      ["phase", phase("PLAN", "SPAWN")],
      ["phase", phase("PLAN", null)],
      ["phase", phase("SPAWN", null)],
      ["phase", phase("SPAWN", "DEPLOY")],
      ["phase", phase("SPAWN", "PLAN")],
    ] as const;
    expect(await refusals(worker, events)).toEqual([
      "gate: prev is SPAWN, but the worker is in no phase",
      null,
      "gate: prev is null, but the worker is in PLAN",
      "gate: prev is DEPLOY, but the worker is in PLAN",
      null,
    ]);
  });
});

describe("a phase that was permitted", () => {
  const permit = (boss: Joined, topic: string, to: string): Promise<Frame> => {
    const payload = { command: "set_phase", phase: to, reason: "override" };
    return request(boss.client, { cmd: "publish", topic, payload });
  };

  test("stays so until it is entered, and is so once", async () => {
    const [, boss, worker] = await crew();
    await say(worker, "phase", phase("PLAN", null));
    await permit(boss, `cmd.${worker.id}.set_phase`, "HARVEST");
    expect(
      await refusals(worker, [
        ["phase", phase("SPAWN", "PLAN")],
        ["phase", phase("HARVEST", "SPAWN")],
        ["phase", phase("CLEANUP", "HARVEST")],
        ["phase", phase("HARVEST", "CLEANUP")],
      ]),
    ).toEqual([null, null, null, "gate: illegal transition CLEANUP → HARVEST"]);
  });

  test("is permitted to every worker by a command to their role", async () => {
    const [harness, boss, worker] = await crew();
    const other = await join(harness, "worker");
    for (const each of [worker, other]) await say(each, "phase", phase("PLAN", null));
    await permit(boss, "cmd.role.worker", "HARVEST");
    for (const each of [worker, other]) {
      expect(await say(each, "phase", phase("HARVEST", "PLAN"))).toMatchObject({ ok: true });
    }
  });

  test("brings back a worker that had failed", async () => {
    const [harness, boss, worker] = await crew();
    const watcher = await watch(harness, "system.peer.left");
    await refusals(worker, [
      ["phase", phase("PLAN", null)],
      ["phase", phase("FAILED", "PLAN")],
    ]);
    await permit(boss, `cmd.${worker.id}.set_phase`, "SPAWN");
    expect(await say(worker, "phase", phase("SPAWN", "FAILED"))).toMatchObject({ ok: true });
    worker.client.close();
    await settle();
    expect(told(watcher)).toMatchObject([["system.peer.left", { reason: "crash" }]]);
  });
});

describe("a silence", () => {
  const fallSilent = async (harness: BusHarness): Promise<void> => {
    harness.clock.now += LIMITS.staleMs + 1;
    harness.bus.checkPeers();
    harness.bus.checkPeers();
    await settle();
  };

  test("is told once, and the next one again; any frame ends it", async () => {
    const [harness, , worker] = await crew();
    const watcher = await watch(harness, "system.peer.stale");
    for (const frame of ['{"cmd":"ping"}', "no json", '{"cmd":"unknown"}']) {
      const last_seen = harness.clock.now;
      await fallSilent(harness);
      await fallSilent(harness);
      expect(told(watcher).at(-1)).toEqual([
        "system.peer.stale",
        { peerId: worker.id, last_seen, missed_heartbeats: 3 },
      ]);
      worker.client.send(frame);
    }
    expect(told(watcher)).toHaveLength(3);
  });

  test.each([
    ["complete", COMPLETE],
    ["event", FATAL],
  ])("of a worker that has ended by %s is nobody's business", async (action, payload) => {
    const [harness, , worker] = await crew();
    const watcher = await watch(harness, "system.peer.stale");
    expect(await say(worker, action, payload)).toMatchObject({ ok: true });
    await fallSilent(harness);
    expect(told(watcher)).toEqual([]);
  });
});

test("whom a worker works for is known to everybody", async () => {
  const [harness, boss, worker] = await crew();
  const boot = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "", parent_peer_id: boss.id };
  await say(worker, "boot", boot);
  const peers = [
    { peerId: boss.id, parentId: null },
    { peerId: worker.id, parentId: boss.id },
  ];
  expect(await request(boss.client, { cmd: "peers" })).toMatchObject({ peers });
  const restarted = await harness.restart();
  const back = await join(restarted, "worker", { instanceNonce: "n" });
  expect(await request(back.client, { cmd: "peers" })).toMatchObject({ peers: [peers[1]] });
});

test("the peers' tree is known from the envelope's parent too, and from boot's after a restart", async () => {
  const [harness, boss, worker] = await crew();
  const parentOf = async (bus: BusHarness, peerId: string): Promise<unknown> => {
    const { peers } = await request((await join(bus, "observer")).client, { cmd: "peers" });
    return (peers as readonly Frame[]).find((peer) => peer["peerId"] === peerId)?.["parentId"];
  };
  const data = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };
  await say(worker, "boot", { v: 1, schema: "worker-boot-v1", parent_id: boss.id, data });
  expect(await parentOf(harness, worker.id)).toBe(boss.id);
  const sub = await join(harness, "worker", { peerName: "sub" });
  const beat = { current_phase: "PLAN", time_in_phase_ms: 0, tokens_used: 1, cost_usd: 0 };
  await say(sub, "heartbeat", { v: 1, schema: "worker-heartbeat-v1", parent_id: worker.id, data: beat });
  expect(await parentOf(harness, sub.id)).toBe(worker.id);
  const restarted = await harness.restart();
  const back = await join(restarted, "worker", { instanceNonce: "n" });
  expect([back.id, await parentOf(restarted, back.id)]).toEqual([worker.id, boss.id]);
});
