import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { join, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

const WAVE = { cmd: "wave.create", waveId: "W3", layers: ["bus"], manifest: ["lead", "tester"] };

const heartbeat = { current_phase: "PLAN", time_in_phase_ms: 0, tokens_used: 1, cost_usd: 0 };

describe("waves", () => {
  test("are told from start to harvest, and known after a restart", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "wave.**");
    const lead = await join(harness, "orchestrator", { terminalId: "1" });
    const createdAt = harness.clock.now;
    expect(await request(lead.client, WAVE)).toMatchObject({ ok: true, waveId: "W3", createdAt });
    const member = { waveId: "W3", subWorkerRole: "tester", terminalId: "2" };
    const tester = await join(harness, "worker", member);
    harness.clock.now += 10;
    const red = { cmd: "publish", topic: "wave.W3.tester.complete", payload: { ok: true } };
    expect(await request(tester.client, red)).toMatchObject({ ok: true });
    const complete = { cmd: "wave.complete", waveId: "W3", summary: "done", commits: ["abc"], regressionClean: true };
    expect(await request(tester.client, complete)).toMatchObject({
      error: "wave.complete:not-lead — only the LEAD peer may complete a wave",
    });
    const completedAt = harness.clock.now;
    expect(await request(lead.client, complete)).toMatchObject({ ok: true, waveId: "W3", completedAt, harvested: 1 });
    expect(await request(lead.client, complete)).toMatchObject({ error: "wave.complete:already-complete:W3" });
    expect(harness.terminals.closed).toEqual([{ terminalId: "2", origin: "orchestrator", correlationId: null }]);
    expect(told(watcher)).toMatchObject([
      ["wave.W3.lead.boot", { waveId: "W3", peerName: "orchestrator", layers: ["bus"], manifest: ["lead", "tester"] }],
      ["wave.W3.tester.complete", { v: 1, from_peer: tester.id, schema: "wave-event-v1", data: { ok: true } }],
      ["wave.W3.complete", { waveId: "W3", status: "ok", commits: ["abc"], regression_clean: true }],
      ["wave.W3.harvested", { waveId: "W3", orphaned_count: 1, closed_terminals: ["2"], already_closed: [] }],
    ]);
    const { client } = await join(await harness.restart(), "observer");
    const { id: _id, rid: _rid, ...status } = await request(client, { cmd: "wave.status", waveId: "W3" });
    expect(status).toEqual({
      protocol: "claws/1",
      ok: true,
      waveId: "W3",
      layers: ["bus"],
      leadPeerId: lead.id,
      leadPeerName: "orchestrator",
      leadTerminalId: "1",
      lead: {
        peerId: lead.id,
        peerName: "orchestrator",
        terminalId: "1",
        status: "complete",
        lastSeenMs: createdAt,
      },
      subWorkers: [
        { role: "lead", peerId: null, peerName: null, terminalId: null, lastHeartbeatMs: createdAt, complete: false },
        {
          role: "tester",
          peerId: tester.id,
          peerName: "worker",
          terminalId: "2",
          lastHeartbeatMs: createdAt,
          complete: true,
        },
      ],
      subWorkerTerminals: ["2"],
      orphanedTerminals: ["2"],
      harvestedAt: completedAt,
      complete: true,
      createdAt,
      completedAt,
      summary: "done",
      commits: ["abc"],
      regressionClean: true,
    });
  });

  test("are ended by any orchestrator once their lead has left, and not before", async () => {
    const harness = await startBus();
    const [lead, other] = [await join(harness, "orchestrator"), await join(harness, "orchestrator")];
    await request(lead.client, WAVE);
    const complete = { cmd: "wave.complete", waveId: "W3", summary: "done" };
    expect(await request(other.client, complete)).toMatchObject({ ok: false });
    lead.client.close();
    await settle();
    const worker = await join(harness, "worker");
    expect(await request(worker.client, complete)).toMatchObject({ ok: false });
    expect(await request(other.client, complete)).toMatchObject({ ok: true, waveId: "W3" });
  });

  test("that exist already are returned as they are", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "wave.*.lead.boot");
    const { client } = await join(harness, "orchestrator");
    const { createdAt } = await request(client, WAVE);
    harness.clock.now += 5;
    expect(await request(client, { ...WAVE, manifest: ["doc"] })).toMatchObject({ createdAt });
    expect(told(watcher)).toMatchObject([
      ["wave.W3.lead.boot", { manifest: ["lead", "tester"] }],
      ["wave.W3.lead.boot", { manifest: ["lead", "tester"] }],
    ]);
  });

  test("report each silence of a member once, and no silence of one that never came", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "wave.*.violation");
    const lead = await join(harness, "orchestrator");
    await request(lead.client, WAVE);
    const tester = await join(harness, "worker", { waveId: "W3", subWorkerRole: "tester" });
    const silence = async (): Promise<void> => {
      harness.clock.now += LIMITS.waveSilenceMs;
      harness.bus.checkDue();
      harness.bus.checkDue();
      await settle();
      harness.bus.checkDue();
      await settle();
    };
    await silence();
    await request(tester.client, { cmd: "publish", topic: `worker.${tester.id}.heartbeat`, payload: heartbeat });
    await silence();
    const violation = ["wave.W3.violation", { waveId: "W3", subWorker: "tester", silentMs: LIMITS.waveSilenceMs }];
    expect(told(watcher)).toMatchObject([violation, violation]);
  });

  test("take in a member that says later where it belongs, and let one go that leaves", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "wave.*.violation");
    const lead = await join(harness, "orchestrator");
    await request(lead.client, WAVE);
    const late = await join(harness, "worker");
    await request(late.client, { cmd: "hello", protocol: "claws/2", waveId: "W3", subWorkerRole: "tester" });
    const status = await request(lead.client, { cmd: "wave.status", waveId: "W3" });
    expect(status["subWorkers"]).toMatchObject([{ peerId: null }, { role: "tester", peerId: late.id }]);
    late.client.close();
    await settle();
    harness.clock.now += LIMITS.waveSilenceMs;
    harness.bus.checkDue();
    await settle();
    expect(told(watcher)).toEqual([]);
  });

  test.each([
    [{ cmd: "wave.create" }, "wave.create:missing-waveId"],
    [{ ...WAVE, waveId: "a.b" }, "wave.create:invalid-waveId"],
    [{ ...WAVE, manifest: [] }, "wave.create:missing-manifest"],
    [{ ...WAVE, manifest: ["boss"] }, "wave.create:missing-manifest"],
    [{ cmd: "wave.status" }, "wave.status:missing-waveId"],
    [{ cmd: "wave.status", waveId: "x" }, "wave.status:not-found:x"],
    [{ cmd: "wave.complete" }, "wave.complete:missing-waveId"],
    [{ cmd: "wave.complete", waveId: "x" }, "wave.complete:not-found:x"],
  ])("refuse %j", async (body, error) => {
    const harness = await startBus();
    expect(await request(harness.transport.connect(), body)).toMatchObject({ ok: false, error });
  });
});
