import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { BusHarness, Joined } from "../testing/bus-harness.ts";
import { join, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

const COMPLETE = { result: "ok", summary: "x", artifacts: [], phases_completed: [] };

const finish = async ({ client, id }: Joined): Promise<void> => {
  expect(await request(client, { cmd: "publish", topic: `worker.${id}.complete`, payload: COMPLETE })).toMatchObject({
    ok: true,
  });
};

/** The reasons that are told when a worker goes this way. */
async function reasons(role: string, go: (harness: BusHarness, peer: Joined) => unknown): Promise<unknown[]> {
  const harness = await startBus();
  const watcher = await watch(harness, "system.peer.left");
  const peer = await join(harness, role);
  await go(harness, peer);
  await settle();
  return told(watcher).map(([, payload]) => payload);
}

const hangUp = (_: BusHarness, { client }: Joined): void =>
  client.write(Buffer.alloc(LIMITS.requestLineBytes + 2, 120));

describe("a peer leaves", () => {
  test.each([
    ["worker", "crash", (_: BusHarness, { client }: Joined) => client.close()],
    ["worker", "timeout", hangUp],
    ["orchestrator", "clean", (_: BusHarness, { client }: Joined) => client.close()],
    ["observer", "clean", hangUp],
  ])("as a %s by %s", async (role, reason, go) => {
    expect(await reasons(role, go)).toEqual([{ peerId: "p_000002", role, reason }]);
  });

  test.each([hangUp, (_: BusHarness, { client }: Joined) => client.close()])(
    "clean when its work is done, whoever hangs up",
    async (go) => {
      const left = await reasons("worker", async (harness, peer) => {
        await finish(peer);
        go(harness, peer);
      });
      expect(left).toMatchObject([{ reason: "clean" }]);
    },
  );

  test.each([
    ["clean", "note", undefined],
    ["crash", "boot", { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" }],
  ])("%s under compat after one call that says %s", async (reason, action, payload) => {
    const harness = await startBus({ policy: "compat" });
    const watcher = await watch(harness, "system.peer.left");
    const worker = await join(harness, "worker");
    await request(worker.client, { cmd: "publish", topic: `worker.${worker.id}.${action}`, payload });
    worker.client.close();
    await settle();
    expect(told(watcher)).toMatchObject([["system.peer.left", { peerId: worker.id, reason }]]);
  });

  test("crash under compat when it booted before it came back", async () => {
    const harness = await startBus({ policy: "compat" });
    const watcher = await watch(harness, "system.peer.left");
    const payload = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };
    for (const say of [true, false]) {
      const worker = await join(harness, "worker", { instanceNonce: "n" });
      if (say) await request(worker.client, { cmd: "publish", topic: `worker.${worker.id}.boot`, payload });
      worker.client.close();
      await settle();
    }
    expect(told(watcher)).toMatchObject([
      ["system.peer.left", { reason: "crash" }],
      ["system.peer.left", { reason: "crash" }],
    ]);
  });

  test("by timeout when the bus stops", async () => {
    const harness = await startBus();
    const worker = await join(harness, "worker");
    await harness.transport.close();
    await settle();
    const later = await join(await harness.restart(), "observer");
    await request(later.client, { cmd: "subscribe", topic: "system.peer.left", fromCursor: "0000:0" });
    expect(told(later.client)).toEqual([
      ["system.peer.left", { peerId: worker.id, role: "worker", reason: "timeout" }],
    ]);
  });

  test("after a restart by not coming back, clean only when nothing was left to do", async () => {
    const harness = await startBus();
    const [done, busy, boss] = [
      await join(harness, "worker"),
      await join(harness, "worker"),
      await join(harness, "orchestrator"),
    ];
    await finish(done);
    const restarted = await harness.restart();
    const watcher = await watch(restarted, "system.peer.left");
    restarted.clock.now += LIMITS.returnGraceMs + 1;
    restarted.bus.checkDue();
    await settle();
    expect(told(watcher).map(([, payload]) => payload)).toEqual([
      { peerId: done.id, role: "worker", reason: "clean" },
      { peerId: busy.id, role: "worker", reason: "timeout" },
      { peerId: boss.id, role: "orchestrator", reason: "clean" },
    ]);
  });
});
