import { CLIENT_LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { connectObserver } from "../create-client.ts";
import { startMemoryBus } from "../testing/real-bus.ts";
import { takeEvents } from "../testing/take.ts";
import { connectWorker } from "../worker/connect-worker.ts";
import { createFaultyChannel } from "../testing/faulty-channel.ts";
import { createManualTimer } from "../testing/manual-timer.ts";
import { settled } from "../testing/settled.ts";
import { connectOrchestrator } from "./connect-orchestrator.ts";

async function begin() {
  const bus = await startMemoryBus();
  const { channel } = bus;
  const orchestrator = connectOrchestrator({ channel, name: "main" });
  const observer = connectObserver({ channel, name: "watch" });
  onTestFinished(async () => {
    await Promise.all([orchestrator.close(), observer.close()]);
  });
  return { bus, channel, orchestrator, observer };
}

test("every command goes to its topic with the fields of its schema", async () => {
  const { orchestrator, observer } = await begin();
  await orchestrator.approve("p_7", "r1", { chosen: "B" });
  await orchestrator.reject("p_7", "r2", "no");
  await orchestrator.unblock("p_7", "r3");
  await orchestrator.abort("p_7", "enough");
  await orchestrator.pause("p_7");
  await orchestrator.resume("p_7");
  await orchestrator.setPhase("p_7", "RECOVER", "stuck");
  await orchestrator.spawn("p_7", { name: "sub", mission: "test it" });
  await orchestrator.injectText("p_7", "hello", { paste: true });
  await orchestrator.broadcast("pause");
  const seen = await takeEvents(observer.subscribe("cmd.**", { from: "0000:0" }), 10);
  expect(seen.map(({ topic, data }) => [topic, data])).toEqual([
    ["cmd.p_7.approve", { correlation_id: "r1", payload: { chosen: "B" } }],
    ["cmd.p_7.reject", { correlation_id: "r2", reason: "no" }],
    ["cmd.p_7.unblock", { correlation_id: "r3" }],
    ["cmd.p_7.abort", { reason: "enough" }],
    ["cmd.p_7.pause", {}],
    ["cmd.p_7.resume", {}],
    ["cmd.p_7.set_phase", { phase: "RECOVER", reason: "stuck" }],
    ["cmd.p_7.spawn", { name: "sub", mission: "test it" }],
    ["cmd.p_7.inject_text", { text: "hello", paste: true }],
    ["cmd.role.worker", { command: "pause" }],
  ]);
  expect(seen[0]?.envelope?.correlation_id).toBe("r1");
});

test("no orchestrator speaks for a worker", async () => {
  const { orchestrator } = await begin();
  const publish = orchestrator.publish("worker.p_000099.event", { kind: "LOG", severity: "info", message: "hm" });
  await expect(publish).rejects.toMatchObject({ code: "PUBLISH_FORBIDDEN" });
});

test("the view of workers follows them from boot to their leaving, history included", async () => {
  const { channel, orchestrator } = await begin();
  const worker = connectWorker({ channel, name: "audit" });
  const { peerId } = await worker.ready();
  await worker.boot({ model: "m", mission_summary: "audit src", cwd: "/" });
  await worker.phase("PLAN", "begin");
  const view = orchestrator.workers();
  await view.ready();
  expect(view.list()).toMatchObject([
    {
      peerId,
      name: "audit",
      model: "m",
      missionSummary: "audit src",
      phase: "PLAN",
      state: "working",
      connected: true,
    },
  ]);
  await worker.complete({ summary: "fine", result: "ok" });
  while (view.get(peerId)?.state !== "finished") await view.changed();
  await worker.close();
  while (view.get(peerId)?.connected !== false) await view.changed();
  expect(view.get(peerId)).toMatchObject({ result: "ok", summary: "fine", leftReason: "clean", state: "finished" });
  view.close();
  await view.changed();
});

test("the view forgets the workers of a log that was replaced", async () => {
  const { bus, channel } = await begin();
  const timer = createManualTimer();
  const wire = createFaultyChannel(channel);
  const orchestrator = connectOrchestrator({ channel: wire.open, name: "far", timer });
  const old = connectWorker({ channel, name: "old" });
  await old.boot({ model: "m", mission_summary: "old", cwd: "/" });
  const view = orchestrator.workers();
  await view.ready();
  expect(view.list().map(({ name }) => name)).toEqual(["old"]);
  await old.close();
  wire.cut();
  await settled();
  await bus.replace();
  const young = connectWorker({ channel, name: "young" });
  onTestFinished(async () => {
    await Promise.all([young.close(), orchestrator.close()]);
  });
  await young.boot({ model: "m", mission_summary: "young", cwd: "/" });
  timer.advance(CLIENT_LIMITS.retryMostMs);
  while (!view.list().some(({ name, missionSummary }) => name === "young" && missionSummary === "young")) {
    await view.changed();
  }
  expect(view.list().map(({ name }) => name)).toEqual(["young"]);
});
