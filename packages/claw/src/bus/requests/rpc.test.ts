import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { MemoryClient } from "../transports/memory.ts";
import type { Frame } from "../testing/bus-harness.ts";
import { join, pushes, request, settle, startBus, watch } from "../testing/bus-harness.ts";

const answerTo = (client: MemoryClient, id: number): Frame | undefined =>
  client.frames.map((frame) => JSON.parse(frame) as Frame).find((frame) => frame["rid"] === id);

async function call() {
  const harness = await startBus();
  const caller = await join(harness, "orchestrator");
  const callee = await join(harness, "worker");
  const body = { cmd: "rpc.call", targetPeerId: callee.id, method: "status", params: { deep: true } };
  caller.client.send(JSON.stringify({ id: 7, ...body }));
  await settle();
  const asked = pushes(callee.client)[0] ?? {};
  const { requestId } = asked["payload"] as { requestId: string };
  return { harness, caller, callee, asked, requestId, topic: `rpc.response.${caller.id}.${requestId}` };
}

describe("rpc.call", () => {
  test("passes a call on without storing it and answers with the raw response", async () => {
    const { harness, caller, callee, asked, requestId, topic } = await call();
    const watcher = await watch(harness, "rpc.**");
    expect(asked).toEqual({
      push: "message",
      protocol: "claws/2",
      topic: `rpc.${callee.id}.request`,
      from: caller.id,
      payload: { requestId, method: "status", params: { deep: true }, callerPeerId: caller.id },
      sentAt: harness.clock.now,
    });
    const payload = { requestId, ok: true, result: "busy" };
    expect(await request(callee.client, { cmd: "publish", topic, payload })).toMatchObject({ ok: true });
    expect(answerTo(caller.client, 7)).toMatchObject({ ok: true, requestId, result: payload });
    expect(pushes(watcher)).toMatchObject([{ topic, from: callee.id }]);
    expect(await request(callee.client, { cmd: "publish", topic, payload })).toMatchObject({ ok: false });
  });

  test("takes no answer from anybody but the called peer", async () => {
    const { harness, caller, callee, requestId, topic } = await call();
    const payload = { requestId, ok: true, result: "forged" };
    const other = await join(harness, "worker");
    expect(await request(other.client, { cmd: "publish", topic, payload })).toMatchObject({ ok: false });
    const boss = await join(harness, "orchestrator");
    await request(boss.client, { cmd: "publish", topic, payload });
    expect(answerTo(caller.client, 7)).toBeUndefined();
    await request(callee.client, { cmd: "publish", topic, payload: { ...payload, result: "true" } });
    expect(answerTo(caller.client, 7)).toMatchObject({ result: { result: "true" } });
  });

  test("ends when its time is over", async () => {
    const { harness, caller, requestId } = await call();
    harness.clock.now += LIMITS.rpcTimeoutMs - 1;
    harness.bus.checkDue();
    expect(answerTo(caller.client, 7)).toBeUndefined();
    harness.clock.now += 1;
    harness.bus.checkDue();
    expect(answerTo(caller.client, 7)).toMatchObject({ ok: false, error: "rpc.call:timeout", requestId });
  });

  test("ends when the called peer goes", async () => {
    const { caller, callee, requestId } = await call();
    callee.client.close();
    expect(answerTo(caller.client, 7)).toMatchObject({ ok: false, error: "rpc.call:target-disconnected", requestId });
  });

  test("is refused when the called peer has too much to answer", async () => {
    const { caller, callee } = await call();
    const body = { cmd: "rpc.call", targetPeerId: callee.id, method: "status" };
    for (let n = 1; n < LIMITS.openCallsPerPeer; n += 1) caller.client.send(JSON.stringify(body));
    expect(await request(caller.client, body)).toMatchObject({ ok: false, error: "rpc.call:overflow" });
  });

  test.each([
    [{ method: "x" }, "rpc.call:missing-targetPeerId"],
    [{ targetPeerId: "p_0000ff" }, "rpc.call:missing-method"],
    [{ targetPeerId: "p_0000ff", method: "x" }, "rpc.call:target-not-found:p_0000ff"],
  ])("refuses %j", async (body, error) => {
    const { client } = await join(await startBus(), "observer");
    expect(await request(client, { cmd: "rpc.call", ...body })).toMatchObject({ ok: false, error });
  });
});
