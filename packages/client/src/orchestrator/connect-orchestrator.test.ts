import { expect, onTestFinished, test } from "vitest";
import { connectObserver } from "../connect-observer.ts";
import { startMemoryBus } from "../testing/real-bus.ts";
import { takeEvents } from "../testing/take.ts";
import { connectWorker } from "../worker/connect-worker.ts";
import { connectOrchestrator } from "./connect-orchestrator.ts";

async function begin() {
  const { channel } = await startMemoryBus();
  const orchestrator = connectOrchestrator({ channel, name: "main" });
  const observer = connectObserver({ channel, name: "watch" });
  onTestFinished(async () => {
    await Promise.all([orchestrator.close(), observer.close()]);
  });
  return { channel, orchestrator, observer };
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
      state: "running",
      connected: true,
    },
  ]);
  await worker.complete({ summary: "fine", result: "ok" });
  while (view.get(peerId)?.state !== "completed") await view.changed();
  await worker.close();
  while (view.get(peerId)?.connected !== false) await view.changed();
  expect(view.get(peerId)).toMatchObject({ result: "ok", summary: "fine", leftReason: "clean", state: "completed" });
  view.close();
  await view.changed();
});
