import { describe, expect, test } from "vitest";
import type { BusHarness, Frame, Joined } from "../testing/bus-harness.ts";
import { join, pushes, request, startBus, told, watch } from "../testing/bus-harness.ts";

const ID = "6f1d6a1e-1a52-4a8e-9e9f-0d7d5a6f2b11";

const boss = (harness: BusHarness): Promise<Joined> =>
  join(harness, "orchestrator", { capabilities: ["receipts"], instanceNonce: "boss" });

const abort = (role = "worker"): Frame => ({
  cmd: "publish",
  topic: `cmd.role.${role}`,
  payload: { v: 1, id: ID, schema: "cmd-role-v1", data: { command: "abort", reason: "end of day" } },
});

describe("a command to a role", () => {
  test("has a receipt for every member, right before it in the log and in its answer", async () => {
    const harness = await startBus();
    const { client, id: from } = await boss(harness);
    const workers = [await join(harness, "worker"), await join(harness, "worker")];
    const watcher = await watch(harness, "system.command.*", "cmd.**");
    const reply = await request(client, abort());
    const { sequence } = reply as { sequence: number };
    const receipts = workers.map(({ id }, index) => ({ peerId: id, sequence: sequence - 2 + index }));
    expect(reply).toMatchObject({ ok: true, deliveredTo: 3, duplicate: false, receipts });
    const accepted = { commandId: ID, cmdTopic: "cmd.role.worker", from, ts: "2026-01-01T00:00:00.000Z" };
    expect(told(watcher)).toEqual([
      ["system.command.accepted", { ...accepted, targetPeerId: workers[0]?.id }],
      ["system.command.accepted", { ...accepted, targetPeerId: workers[1]?.id }],
      ["cmd.role.worker", expect.objectContaining({ id: ID })],
    ]);
    expect(pushes(watcher).map((frame) => frame["sequence"])).toEqual([sequence - 2, sequence - 1, sequence]);
    for (const worker of workers) expect(pushes(worker.client)).toMatchObject([{ topic: "cmd.role.worker", sequence }]);
  });

  test("is answered with the same receipts when it is sent again, restarts included", async () => {
    const harness = await startBus();
    const { client } = await boss(harness);
    await join(harness, "worker");
    const { receipts, sequence } = await request(client, abort());
    expect(receipts).toHaveLength(1);
    await join(harness, "worker");
    expect(await request(client, abort())).toMatchObject({ duplicate: true, receipts, sequence });
    const again = await boss(await harness.restart());
    expect(await request(again.client, abort())).toMatchObject({ duplicate: true, receipts, sequence });
  });

  test("without members has no receipts, and what is refused leaves none", async () => {
    const harness = await startBus({ budget: { thresholdsUsd: [], capUsd: 0 } });
    const { client } = await boss(harness);
    expect(await request(client, abort())).toMatchObject({ ok: true, deliveredTo: 0, receipts: [] });
    await join(harness, "worker");
    const head = harness.log.head();
    const resume = { ...abort(), payload: { command: "resume" } };
    expect(await request(client, resume)).toMatchObject({ ok: false });
    expect(harness.log.head()).toBe(head + 1);
  });

  test("counts those of another role who follow it, and not its sender", async () => {
    const harness = await startBus();
    const { client } = await boss(harness);
    const other = await join(harness, "orchestrator");
    await join(harness, "orchestrator");
    for (const each of [client, other.client]) await request(each, { cmd: "subscribe", topic: "cmd.role.*" });
    const { receipts } = await request(client, abort("orchestrator"));
    expect(receipts).toMatchObject([{ peerId: other.id }]);
  });

  test("gives no more than it gave to clients that name no capability", async () => {
    const harness = await startBus();
    const { client } = await join(harness, "orchestrator");
    await join(harness, "worker");
    const { id: _id, rid: _rid, ...reply } = await request(client, abort());
    expect(reply).toEqual({ protocol: "claws/1", ok: true, deliveredTo: 1 });
  });
});
