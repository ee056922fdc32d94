import { describe, expect, test } from "vitest";
import type { BusHarness, Frame } from "../testing/bus-harness.ts";
import { join, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

const ask = (harness: BusHarness, body: Frame): Promise<Frame> => request(harness.transport.connect(), body);

/** A mission with watched workers in terminals of their own. */
async function deploy(...terminalIds: string[]): Promise<BusHarness> {
  const harness = await startBus();
  const count = terminalIds.length;
  await ask(harness, { cmd: "lifecycle.plan", plan: "p", workerMode: "fleet", expectedWorkers: count });
  await ask(harness, { cmd: "lifecycle.advance", to: "SPAWN" });
  for (const terminalId of terminalIds) {
    expect(await ask(harness, { cmd: "create" })).toMatchObject({ ok: true, id: terminalId });
    const named = { terminalId, correlationId: `c-${terminalId}` };
    await ask(harness, { cmd: "lifecycle.register-spawn", ...named, name: "w" });
    await ask(harness, { cmd: "lifecycle.register-monitor", ...named, command: "watch" });
  }
  return harness;
}

const missionOf = async (harness: BusHarness): Promise<unknown> =>
  (await ask(harness, { cmd: "lifecycle.snapshot" }))["state"];

const closed = (terminal_id: string, close_origin: string): unknown => [
  "system.terminal.closed",
  { terminal_id, close_origin, closed_at: "2026-01-01T00:00:00.000Z", correlation_id: `c-${terminal_id}` },
];

describe("a terminal that closes", () => {
  test("is told of, closes its worker, ends its watch, and moves the mission on when it was the last", async () => {
    const harness = await deploy("1", "2");
    const watcher = await watch(harness, "system.terminal.closed", "lifecycle.phase-changed");
    await harness.terminals.close("1", "marker");
    await settle();
    expect(told(watcher)).toMatchObject([closed("1", "marker"), ["lifecycle.phase-changed", { to: "OBSERVE" }]]);
    expect(await missionOf(harness)).toMatchObject({
      phase: "OBSERVE",
      spawned_workers: [
        { id: "1", status: "closed" },
        { id: "2", status: "spawned" },
      ],
      monitors: [{ terminal_id: "2" }],
      workers: [
        { id: "1", closed: true },
        { id: "2", closed: false },
      ],
    });
    await harness.terminals.close("2", "user");
    await settle();
    expect(await missionOf(harness)).toMatchObject({ phase: "REFLECT", monitors: [] });
    expect(await missionOf(await harness.restart())).toMatchObject({ phase: "REFLECT", monitors: [] });
  });

  test("does so when a finished wave is harvested", async () => {
    const harness = await deploy("1");
    const lead = await join(harness, "orchestrator");
    await request(lead.client, { cmd: "wave.create", waveId: "w", manifest: ["tester"] });
    await join(harness, "worker", { waveId: "w", subWorkerRole: "tester", terminalId: "1" });
    await request(lead.client, { cmd: "wave.complete", waveId: "w", summary: "done" });
    await settle();
    expect(await missionOf(harness)).toMatchObject({ phase: "REFLECT" });
  });

  test("is told of without a mission too", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "**");
    harness.terminals.add("7", "c-7");
    await harness.terminals.close("7", "timeout");
    await settle();
    expect(told(watcher)).toEqual([closed("7", "timeout")]);
  });

  test("while the bus was down is noticed when it is back", async () => {
    const harness = await deploy("1");
    harness.stop();
    await harness.terminals.close("1", "user");
    expect(await missionOf(await harness.restart())).toMatchObject({
      phase: "REFLECT",
      spawned_workers: [{ id: "1", status: "closed" }],
    });
  });
});
