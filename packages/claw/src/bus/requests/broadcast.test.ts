import { describe, expect, test } from "vitest";
import { join, pushes, request, startBus, told, watch } from "../testing/bus-harness.ts";

describe("broadcast", () => {
  test("reaches every worker, subscribed or not, and whoever watches, and stays in the log", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "system.broadcast");
    const orchestrator = await join(harness, "orchestrator");
    const workers = [await join(harness, "worker"), await join(harness, "worker")];
    expect(await request(orchestrator.client, { cmd: "broadcast", text: "hurry" })).toMatchObject({
      ok: true,
      deliveredTo: 2,
    });
    for (const { client } of workers) {
      expect(pushes(client)).toMatchObject([
        { topic: "system.broadcast", from: orchestrator.id, payload: { text: "hurry" } },
      ]);
    }
    expect(told(watcher)).toEqual([["system.broadcast", { text: "hurry" }]]);
    const later = await join(await harness.restart(), "observer");
    await request(later.client, { cmd: "subscribe", topic: "system.broadcast", fromCursor: "0000:0" });
    expect(told(later.client)).toEqual([["system.broadcast", { text: "hurry" }]]);
  });

  test("is one frame for a target that subscribed to it", async () => {
    const harness = await startBus();
    const orchestrator = await join(harness, "orchestrator");
    const worker = await join(harness, "worker");
    await request(worker.client, { cmd: "subscribe", topic: "system.**" });
    await request(orchestrator.client, { cmd: "broadcast", text: "once" });
    expect(told(worker.client)).toEqual([["system.broadcast", { text: "once" }]]);
  });

  test("goes to one peer, or to another role, or to all with the sender", async () => {
    const harness = await startBus();
    const orchestrator = await join(harness, "orchestrator");
    const [first, second] = [await join(harness, "worker"), await join(harness, "worker")];
    await request(orchestrator.client, { cmd: "broadcast", text: "you", peerId: second.id });
    await request(orchestrator.client, { cmd: "broadcast", text: "us", targetRole: "orchestrator" });
    await request(orchestrator.client, { cmd: "broadcast", text: "all", targetRole: "all" });
    const texts = [orchestrator, first, second].map(({ client }) => told(client).map(([, payload]) => payload));
    expect(texts).toEqual([[{ text: "us" }, { text: "all" }], [{ text: "all" }], [{ text: "you" }, { text: "all" }]]);
  });

  test("types a command into terminals as it stands", async () => {
    const harness = await startBus();
    const orchestrator = await join(harness, "orchestrator");
    await join(harness, "worker", { terminalId: "5" });
    await join(harness, "worker");
    const text = '[CLAWS_CMD r=req-1] approve_request: {"chosen":"B"}';
    expect(await request(orchestrator.client, { cmd: "broadcast", text, inject: true })).toMatchObject({
      deliveredTo: 2,
      injected: 1,
    });
    expect(harness.terminals.typed).toEqual([{ terminalId: "5", text, paste: true }]);
  });

  test.each([
    ["worker", { text: "x" }, "requires role: orchestrator"],
    ["orchestrator", {}, "text required"],
    ["orchestrator", { text: "x", targetRole: "boss" }, "unknown role"],
    ["orchestrator", { text: "x", peerId: "p_ffffff" }, "peer not found: p_ffffff"],
  ])("refuses a %s who sends %j", async (role, body, error) => {
    const harness = await startBus();
    const { client } = await join(harness, role);
    expect(await request(client, { cmd: "broadcast", ...body })).toMatchObject({ ok: false, error });
  });

  test("tells a client that reads nothing only so much", async () => {
    const harness = await startBus();
    const orchestrator = await join(harness, "orchestrator");
    const worker = await join(harness, "worker");
    worker.client.congest(true);
    for (let n = 0; n < 520; n += 1) orchestrator.client.send(JSON.stringify({ cmd: "broadcast", text: `${n}` }));
    expect(await request(orchestrator.client, { cmd: "broadcast", text: "last" })).toMatchObject({ deliveredTo: 0 });
    expect(pushes(worker.client)).toHaveLength(500);
  });
});
