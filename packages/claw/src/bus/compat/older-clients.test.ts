import { describe, expect, test } from "vitest";
import type { BusHarness, Frame } from "../testing/bus-harness.ts";
import { join, pushes, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";
import type { MemoryClient } from "../transports/memory.ts";

/** Sends a line as an older client does, and gives every frame that came since. */
async function exchange(client: MemoryClient, body: Frame): Promise<Frame[]> {
  const before = client.frames.length;
  client.send(JSON.stringify(body));
  await settle();
  return client.frames.slice(before).map((frame) => JSON.parse(frame) as Frame);
}

const compat = (): Promise<BusHarness> => startBus({ policy: "compat", budget: { thresholdsUsd: [100] } });

/** The worker's command line connects anew for everything it says, under the name from its environment. */
async function speak(harness: BusHarness, action: string, data: Frame): Promise<Frame[]> {
  const client = harness.transport.connect();
  const hello = { id: 1, cmd: "hello", protocol: "claws/2", role: "worker", peerName: "sdk-worker" };
  const [welcome] = await exchange(client, hello);
  expect(welcome).toMatchObject({ id: 1, rid: 1, ok: true, peerId: expect.stringMatching(/^p_/) });
  const payload = {
    v: 1,
    id: crypto.randomUUID(),
    from_peer: "term-7",
    from_name: "sdk-worker",
    ts_published: "2026-01-01T00:00:00.000Z",
    schema: `worker-${action}-v1`,
    data,
  };
  const answers = await exchange(client, { id: 2, cmd: "publish", topic: `worker.term-7.${action}`, payload });
  client.close();
  await settle();
  return answers;
}

const phase = (to: string, prev: string | null): Frame => ({
  phase: to,
  prev,
  transition_reason: "x",
  phases_completed: [],
});
const beat = (cost_usd: number): Frame => ({ current_phase: "PLAN", time_in_phase_ms: 1, tokens_used: 1, cost_usd });

describe("the worker's older command line", () => {
  test("is one worker although it connects for every word, in its phases and in what it costs", async () => {
    const harness = await compat();
    const watcher = await watch(harness, "system.gate.fired", "system.malformed.received", "system.peer.left");
    const boot = { model: "m", role: "worker", parent_peer_id: null, mission_summary: "x", cwd: "/", terminal_id: "7" };
    const said: [string, Frame][] = [
      ["boot", { ...boot, capabilities: [] }],
      ["phase", phase("PLAN", null)],
      ["phase", phase("SPAWN", "PLAN")],
      ["heartbeat", beat(30)],
      ["heartbeat", beat(60)],
      ["complete", { result: "ok", summary: "done", artifacts: [], phases_completed: ["PLAN"] }],
    ];
    for (const [action, data] of said) {
      expect(await speak(harness, action, data)).toMatchObject([{ id: 2, rid: 2, ok: true, deliveredTo: 0 }]);
    }
    expect(harness.bus.host.budget.spentUsd()).toBe(60);
    const reasons = told(watcher).map(([topic, payload]) => [topic, (payload as Frame)["reason"]]);
    expect(reasons.at(-1)).toEqual(["system.peer.left", "clean"]);
    expect(reasons.filter(([topic]) => topic !== "system.peer.left")).toEqual([]);
  });

  test("gets the commands of its name while it is there", async () => {
    const harness = await compat();
    const boss = await join(harness, "orchestrator");
    const worker = await join(harness, "worker");
    const enter = (payload: Frame): Promise<Frame> =>
      request(worker.client, { cmd: "publish", topic: "worker.term-7.phase", payload });
    await enter(phase("PLAN", null));
    for (const topic of ["cmd.term-7.pause", `cmd.${worker.id}.pause`]) {
      expect(await request(boss.client, { cmd: "publish", topic, payload: {} })).toMatchObject({ deliveredTo: 1 });
    }
    const order = { cmd: "publish", topic: `cmd.${worker.id}.set_phase`, payload: { phase: "HARVEST", reason: "x" } };
    await request(boss.client, order);
    const watcher = await watch(harness, "system.gate.fired");
    await enter(phase("HARVEST", "PLAN"));
    expect(told(watcher)).toEqual([]);
  });
});

describe("the older MCP server", () => {
  test("subscribes with +, publishes what it always did, and is believed", async () => {
    const harness = await compat();
    const mcp = harness.transport.connect();
    const hello = { id: 1, cmd: "hello", protocol: "claws/2", role: "orchestrator", peerName: "mcp-orchestrator" };
    expect(await exchange(mcp, { ...hello, capabilities: ["publish", "subscribe"] })).toMatchObject([
      { rid: 1, ok: true, serverCapabilities: expect.arrayContaining(["push", "broadcast", "tasks"]) },
    ]);
    for (const topic of ["worker.+.complete", "vehicle.+.content", "tool.+.invoked", "system.peer.connected"]) {
      expect(await exchange(mcp, { id: 2, cmd: "subscribe", topic })).toMatchObject([
        { rid: 2, ok: true, subscriptionId: expect.stringMatching(/^s_/), resumeCursor: expect.any(String) },
      ]);
    }
    const watcher = await watch(harness, "system.worker.**", "system.monitor.unarmed", "tool.**", "worker.**");
    const nested = await join(harness, "orchestrator", { correlation_id: "c1" });
    const completed = { terminal_id: "3", status: "completed", correlation_id: "c1", completion_signal: "marker" };
    const published: [string, Frame][] = [
      ["tool.claws_list.invoked", { peerId: "p_1", args_keys: [] }],
      ["system.worker.spawned", { terminal_id: "3", name: "w", correlation_id: "c1" }],
      ["system.worker.completed", completed],
      ["system.monitor.unarmed", { terminal_id: "3", correlation_id: "c1", grace_ms: 5000 }],
    ];
    for (const [topic, payload] of published) {
      const answer = { rid: 3, ok: true, deliveredTo: 1 };
      expect(await exchange(mcp, { id: 3, cmd: "publish", topic, payload })).toMatchObject([answer]);
    }
    expect(told(watcher)).toEqual(published);
    await exchange(mcp, { id: 4, cmd: "publish", topic: "worker.3.heartbeat", payload: { kind: "heartbeat" } });
    expect(told(watcher).at(-1)).toMatchObject([
      "worker.3.heartbeat",
      { schema: "claws/2", data: { kind: "heartbeat" } },
    ]);
    await request(nested.client, { cmd: "publish", topic: "tool.x.invoked", payload: {} });
    await request(nested.client, { cmd: "publish", topic: "worker.3.complete", payload: { ok: true } });
    expect(pushes(mcp).map(({ topic }) => topic)).toEqual([
      "system.peer.connected",
      "tool.x.invoked",
      "worker.3.complete",
    ]);
  });
});

describe("older observers", () => {
  test("that count frames get the answer to hello first, the answer to publish second, and nothing else", async () => {
    const harness = await compat();
    const client = harness.transport.connect();
    client.send(JSON.stringify({ id: 1, cmd: "hello", protocol: "claws/2", role: "observer", peerName: "arm-watch" }));
    const payload = { terminal_id: "3", correlation_id: "c1", grace_ms: 5000, reason: "no-intent" };
    client.send(JSON.stringify({ id: 2, cmd: "publish", topic: "system.monitor.unarmed", payload }));
    await settle();
    expect(client.frames.map((frame) => JSON.parse(frame) as Frame)).toMatchObject([
      { rid: 1, protocol: "claws/2", ok: true },
      { rid: 2, protocol: "claws/1", ok: true, deliveredTo: 0 },
    ]);
  });

  test("that wait for the end of a worker find it in the past, with its correlation id where they look", async () => {
    const harness = await compat();
    const mcp = await join(harness, "orchestrator");
    const payload = { terminal_id: "3", status: "completed", correlation_id: "c1" };
    await request(mcp.client, { cmd: "publish", topic: "system.worker.completed", payload });
    harness.terminals.add("4", "c2");
    await harness.terminals.close("4", "user");
    const client = harness.transport.connect();
    const hello = { role: "observer", peerName: "wait-mode", monitorCorrelationId: "c1" };
    await exchange(client, { id: 1, cmd: "hello", protocol: "claws/2", ...hello });
    for (const topic of ["system.worker.completed", "system.terminal.closed"]) {
      const [reply] = await exchange(client, { id: 2, cmd: "subscribe", topic, fromCursor: "0000:0" });
      expect(reply).toMatchObject({ rid: 2, ok: true });
    }
    expect(pushes(client)).toMatchObject([
      { topic: "system.worker.completed", replayed: true, payload },
      { topic: "system.terminal.closed", replayed: true, payload: { correlation_id: "c2" } },
    ]);
    expect(await request(client, { cmd: "monitors.is-corr-armed", correlation_id: "c1" })).toMatchObject({
      armed: true,
    });
  });

  test("and clients of one line get one line", async () => {
    const harness = await compat();
    for (const [body, answer] of [
      [
        { id: 7, cmd: "ping" },
        { id: 7, rid: 7, protocol: "claws/1", ok: true, serverTime: expect.any(Number) },
      ],
      [{ cmd: "ping" }, { protocol: "claws/1", ok: true, serverTime: expect.any(Number) }],
      [
        { id: "a", cmd: "no-such" },
        { id: "a", rid: "a", protocol: "claws/1", ok: false, error: "unknown cmd: no-such" },
      ],
      [{ id: 1 }, { id: 1, rid: 1, protocol: "claws/1", ok: false, error: "unknown cmd: undefined" }],
      [
        { id: 1, cmd: "ping", protocol: "claws/3" },
        { id: 1, rid: 1, protocol: "claws/1", ok: false, error: "incompatible protocol version" },
      ],
    ] as [Frame, Frame][]) {
      expect(await exchange(harness.transport.connect(), body)).toEqual([answer]);
    }
  });
});
