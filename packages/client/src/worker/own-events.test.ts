import { CLIENT_LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../claw/src/process/testing/until.ts";
import { connectOrchestrator } from "../orchestrator/connect-orchestrator.ts";
import { createFaultyChannel } from "../testing/faulty-channel.ts";
import { createManualTimer } from "../testing/manual-timer.ts";
import { startMemoryBus } from "../testing/real-bus.ts";
import { takeEvents } from "../testing/take.ts";
import { settled } from "../testing/settled.ts";
import { connectWorker } from "./connect-worker.ts";

const BOOT = { model: "sonnet", mission_summary: "audit src", cwd: "/repo" };

async function begin() {
  const bus = await startMemoryBus();
  const timer = createManualTimer();
  const wire = createFaultyChannel(bus.channel);
  const worker = connectWorker({ channel: wire.open, name: "audit", timer });
  onTestFinished(() => worker.close());
  const { peerId } = await worker.ready();
  /** The bus is gone; another, that may know nothing, is found when the worker tries again. */
  const lose = async (): Promise<void> => {
    wire.refuse(true);
    wire.cut();
    await settled();
  };
  const find = async (): Promise<void> => {
    wire.refuse(false);
    timer.advance(CLIENT_LIMITS.retryMostMs);
    await until(() => worker.status() === "open");
    await worker.flush();
  };
  const orchestrate = () => {
    const orchestrator = connectOrchestrator({ channel: bus.channel, name: "main" });
    onTestFinished(() => orchestrator.close());
    return orchestrator;
  };
  return { bus, worker, peerId, lose, find, orchestrate };
}

/** What the bus knows of workers, oldest first. */
async function told(orchestrator: ReturnType<typeof connectOrchestrator>, count: number): Promise<unknown[]> {
  const events = await takeEvents(orchestrator.subscribe("worker.*.*", { from: "0000:0" }), count);
  return events.map(({ topic, data }) => {
    const { phase, kind, message } = data as Record<string, unknown>;
    return [topic.split(".")[2], phase ?? message ?? kind].filter((part) => part !== undefined);
  });
}

test("to a bus that has forgotten it a worker announces itself before anything that waited", async () => {
  const { bus, worker, lose, find, orchestrate } = await begin();
  await worker.boot(BOOT);
  for (const phase of ["PLAN", "SPAWN", "RECOVER", "DEPLOY", "RECOVER", "DEPLOY"] as const) {
    await worker.phase(phase, "in order");
  }
  await lose();
  const waiting = [worker.event("LOG", "while away"), worker.phase("OBSERVE", "while away")];
  await settled();
  await bus.replace();
  await find();
  await Promise.all(waiting);
  const orchestrator = orchestrate();
  expect(await told(orchestrator, 6)).toEqual([
    ["boot"],
    ["phase", "PLAN"],
    ["phase", "SPAWN"],
    ["phase", "DEPLOY"],
    ["event", "while away"],
    ["phase", "OBSERVE"],
  ]);
  const workers = orchestrator.workers();
  await workers.ready();
  expect(workers.list()).toMatchObject([{ peerId: worker.peerId(), phase: "OBSERVE", state: "working" }]);
  expect(await worker.phase("HARVEST", "on")).toMatchObject({ duplicate: false });
});

test("to one that knows its token but has another log it announces itself too, as the peer it was", async () => {
  const { bus, worker, peerId, lose, find, orchestrate } = await begin();
  await worker.boot(BOOT);
  await worker.phase("PLAN", "begin");
  await lose();
  await bus.replace("peers");
  await find();
  expect(worker.peerId()).toBe(peerId);
  expect(await told(orchestrate(), 2)).toEqual([["boot"], ["phase", "PLAN"]]);
  expect(await worker.phase("SPAWN", "on")).toMatchObject({ duplicate: false });
});

test("a question that nobody had answered is asked again, and its answer found", async () => {
  const { bus, worker, lose, find, orchestrate } = await begin();
  await worker.boot(BOOT);
  const answered = worker.ask({ message: "settled", request_id: "r0" });
  await worker.flush();
  const before = orchestrate();
  await before.approve(worker.peerId() ?? "", "r0");
  await answered;
  await before.close();
  const asked = worker.ask({ message: "rewrite or patch?", request_id: "r1" });
  await worker.flush();
  await settled();
  await lose();
  await bus.replace();
  await find();
  const orchestrator = orchestrate();
  expect(await told(orchestrator, 2)).toEqual([["boot"], ["event", "rewrite or patch?"]]);
  await orchestrator.approve(worker.peerId() ?? "", "r1", { chosen: "B" });
  expect(await asked).toMatchObject({ approved: true, payload: { chosen: "B" } });
});

test("a bus that remembers it is told nothing twice", async () => {
  const { bus, worker, peerId, lose, find, orchestrate } = await begin();
  await worker.boot(BOOT);
  await worker.phase("PLAN", "begin");
  await lose();
  await bus.restart();
  await find();
  await worker.phase("SPAWN", "on");
  expect(worker.peerId()).toBe(peerId);
  expect(await told(orchestrate(), 3)).toEqual([["boot"], ["phase", "PLAN"], ["phase", "SPAWN"]]);
});

test("a worker that has ended, or never began, announces nothing", async () => {
  const { bus, worker, lose, find, orchestrate } = await begin();
  await worker.boot(BOOT);
  await worker.phase("PLAN", "begin");
  await worker.complete({ summary: "done" });
  await lose();
  await bus.replace();
  await find();
  const idle = await begin();
  await idle.lose();
  await idle.bus.replace();
  await idle.find();
  for (const orchestrator of [orchestrate(), idle.orchestrate()]) {
    const workers = orchestrator.subscribe("worker.**", { from: "0000:0" });
    expect((await workers.next()).value).toMatchObject({ kind: "caught-up" });
  }
});

test("what was told to all workers of another log does not reach one that joins it later", async () => {
  const { bus, worker, lose, find, orchestrate } = await begin();
  await worker.boot(BOOT);
  await lose();
  await bus.replace();
  const orchestrator = orchestrate();
  await orchestrator.broadcast("abort", { reason: "those before" });
  await find();
  await orchestrator.broadcast("pause");
  const { value } = await worker.commands().next();
  expect(value).toMatchObject({ action: "pause" });
});
