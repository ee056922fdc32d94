import { describe, expect, test } from "vitest";
import { join, request, startBus, told, watch } from "../testing/bus-harness.ts";

const STEPS = [
  { role: "source", terminalId: "1" },
  { role: "sink", terminalId: "2" },
];

describe("pipelines", () => {
  test("type a source's output into the sink until closed, restarts included", async () => {
    const harness = await startBus();
    harness.terminals.add("2");
    const watcher = await watch(harness, "pipeline.**");
    const { client } = await join(harness, "orchestrator");
    const pipeline = {
      pipelineId: "pipe_0001",
      name: "pipeline",
      steps: [
        { stepId: "pipe_0001_step_0", role: "source", terminalId: "1", state: "active" },
        { stepId: "pipe_0001_step_1", role: "sink", terminalId: "2", state: "active" },
      ],
      state: "active",
      createdAt: new Date(harness.clock.now).toISOString(),
    };
    expect(await request(client, { cmd: "pipeline.create", steps: STEPS })).toMatchObject({
      ok: true,
      pipelineId: "pipe_0001",
      pipeline,
    });
    const worker = await join(harness, "worker", { terminalId: "1" });
    await request(worker.client, { cmd: "publish", topic: "output.1.line", payload: { text: "ls" } });
    expect(harness.terminals.typed).toEqual([{ terminalId: "2", text: "ls", paste: false }]);
    expect(told(watcher)).toMatchObject([
      ["pipeline.pipe_0001.created", { pipelineId: "pipe_0001" }],
      ["pipeline.pipe_0001.step.pipe_0001_step_0", { role: "source", terminalId: "1", state: "active" }],
    ]);

    const restarted = await harness.restart();
    expect(restarted.terminals.typed).toHaveLength(1);
    const boss = await join(restarted, "orchestrator");
    expect((await request(boss.client, { cmd: "pipeline.list" }))["pipelines"]).toEqual([pipeline]);
    await request(boss.client, { cmd: "publish", topic: "output.1.line", payload: { n: 1 } });
    expect(restarted.terminals.typed.slice(1)).toEqual([{ terminalId: "2", text: '{"n":1}', paste: false }]);
    expect(await request(boss.client, { cmd: "pipeline.close", pipelineId: "pipe_0001" })).toMatchObject({ ok: true });
    await request(boss.client, { cmd: "publish", topic: "output.1.line", payload: { n: 2 } });
    expect(restarted.terminals.typed).toHaveLength(2);
    const closedAt = new Date(harness.clock.now).toISOString();
    const steps = pipeline.steps.map((step) => ({ ...step, state: "closed" }));
    const again = await join(restarted, "observer");
    await request(again.client, { cmd: "subscribe", topic: "pipeline.*.closed", fromCursor: "0000:0" });
    expect(told(again.client)).toEqual([
      ["pipeline.pipe_0001.closed", { pipelineId: "pipe_0001", state: "closed", closedAt, steps }],
    ]);
    expect((await request(boss.client, { cmd: "pipeline.list" }))["pipelines"]).toMatchObject([
      { state: "closed", createdAt: pipeline.createdAt, closedAt },
    ]);
    expect(await request(boss.client, { cmd: "pipeline.create", steps: STEPS })).toMatchObject({
      pipelineId: "pipe_0002",
    });
  });

  test("say so when the sink takes nothing", async () => {
    const harness = await startBus();
    const watcher = await watch(harness, "pipeline.*.step.*");
    const { client } = await join(harness, "orchestrator");
    await request(client, { cmd: "pipeline.create", steps: STEPS });
    await request(client, { cmd: "publish", topic: "output.1.line", payload: { text: "ls" } });
    expect(told(watcher)).toMatchObject([["pipeline.pipe_0001.step.pipe_0001_step_0", { state: "degraded" }]]);
    expect(harness.reports.splice(0)).toHaveLength(1);
  });

  test.each([
    [{ cmd: "pipeline.create" }, "pipeline.create:steps-required (min 2 steps)"],
    [{ cmd: "pipeline.create", steps: [STEPS[1], STEPS[1]] }, "pipeline.create:source-step-required"],
    [{ cmd: "pipeline.create", steps: [STEPS[0], STEPS[0]] }, "pipeline.create:sink-step-required"],
    [{ cmd: "pipeline.close" }, "pipeline.close:pipelineId-required"],
    [{ cmd: "pipeline.close", pipelineId: "pipe_0009" }, "pipeline.close:not-found:pipe_0009"],
  ])("refuse %j", async (body, error) => {
    const { client } = await join(await startBus(), "orchestrator");
    expect(await request(client, body)).toMatchObject({ ok: false, error });
  });
});
