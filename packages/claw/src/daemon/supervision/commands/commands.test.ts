import { COMMAND_LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { EventLog, NewEvent } from "../../../bus/log/index.ts";
import type { BusHarness, Frame, Joined } from "../../../bus/testing/bus-harness.ts";
import { join, request, settle } from "../../../bus/testing/bus-harness.ts";
import { boss, bootWorker, command, say, startCommandBus, stepsOf, watchSteps } from "./testing/command-scene.ts";

interface Scene {
  readonly harness: BusHarness;
  readonly main: Joined;
  readonly worker: Joined;
  readonly steps: () => readonly Frame[];
}

async function openScene(capabilities: readonly string[] = []): Promise<Scene> {
  const harness = await startCommandBus();
  const steps = await watchSteps(harness);
  const main = await boss(harness);
  return { harness, main, worker: await bootWorker(harness, capabilities), steps };
}

const report = (worker: Joined, step: string, commandId: unknown, more: Frame = {}): Promise<Frame> =>
  say(worker, "command", {
    command_id: commandId,
    step,
    route: "input",
    evidence: { kind: "process", value: 7 },
    ...more,
  });

describe("a command to a worker", () => {
  test("is accepted and queued once, each step with its evidence and deadline", async () => {
    const { main, worker, steps, harness } = await openScene();
    const { sequence } = await command(main, worker.id, "resume");
    await settle();
    const about = { targetPeerId: worker.id, cmdTopic: `cmd.${worker.id}.resume`, from: main.id, sequence };
    const evidence = { kind: "sequence", value: sequence };
    expect(steps()).toMatchObject([
      { step: "accepted", ...about, route: null, evidence, deadline: "2026-01-01T00:00:10.000Z" },
      { step: "queued", ...about, route: "bus", evidence, deadline: "2026-01-01T00:30:00.000Z" },
    ]);
    expect(harness.bus.checkDue()).toBe(Date.parse("2026-01-01T00:30:00.000Z"));
  });

  test("expires with a reason when nobody takes it", async () => {
    const { main, worker, steps, harness } = await openScene();
    await command(main, worker.id, "pause");
    harness.clock.now += COMMAND_LIMITS.urgentQueuedMs;
    harness.bus.checkDue();
    harness.bus.checkDue();
    await settle();
    expect(stepsOf(steps())).toEqual(["accepted", "queued", "expired"]);
    expect(steps().at(-1)).toMatchObject({
      reason: "the worker did not take it in time",
      evidence: null,
      deadline: null,
    });
    expect(harness.bus.checkDue()).toBe(Infinity);
  });

  test("is done when the worker acknowledges it, and refused when it rejects it", async () => {
    const { main, worker, steps } = await openScene();
    const done = await command(main, worker.id, "resume");
    const other = await command(main, worker.id, "resume");
    await request(worker.client, { cmd: "cmd.ack", seq: done["sequence"], status: "executed" });
    await request(worker.client, { cmd: "cmd.ack", seq: other["sequence"], status: "rejected" });
    await request(worker.client, { cmd: "cmd.ack", seq: other["sequence"], status: "executed" });
    const of = (sequence: unknown) => stepsOf(steps().filter((step) => step["sequence"] === sequence));
    expect(of(done["sequence"])).toEqual(["accepted", "queued", "acked", "applied"]);
    expect(of(other["sequence"])).toEqual(["accepted", "queued", "refused"]);
  });

  test("is acknowledged by an event that answers it, and an abort is done when the worker ends", async () => {
    const { main, worker, steps } = await openScene();
    await command(main, worker.id, "approve", { correlation_id: "r1" });
    await command(main, worker.id, "abort", { reason: "enough" });
    await command(main, worker.id, "resume");
    const progress = { kind: "PROGRESS", severity: "info", message: "on it", correlation_id: "r1" };
    await say(worker, "event", progress);
    await say(worker, "complete", { result: "cancelled", summary: "aborted", artifacts: [], phases_completed: [] });
    const ends = steps().filter(({ step }) => step !== "accepted" && step !== "queued");
    expect(ends.map(({ step, cmdTopic }) => [step, cmdTopic])).toEqual([
      ["acked", `cmd.${worker.id}.approve`],
      ["applied", `cmd.${worker.id}.approve`],
      ["applied", `cmd.${worker.id}.abort`],
      ["expired", `cmd.${worker.id}.resume`],
    ]);
  });

  test("takes the steps its worker reports, in order and once; others can say nothing of it", async () => {
    const { main, worker, steps, harness } = await openScene(["commands"]);
    const other = await bootWorker(harness, ["commands"]);
    await command(main, worker.id, "set_phase", { phase: "PLAN", reason: "go" });
    const { commandId } = steps()[0] ?? {};
    await report(other, "applied", commandId);
    await report(worker, "submitted", commandId);
    await report(worker, "injected", commandId);
    await report(worker, "submitted", commandId);
    await report(worker, "applied", "no such command");
    await report(worker, "applied", commandId);
    await report(worker, "refused", commandId);
    expect(stepsOf(steps())).toEqual(["accepted", "queued", "submitted", "applied"]);
    expect(steps().at(-1)).toMatchObject({ evidence: { kind: "process", value: 7 }, route: "input" });
  });

  test("that an agent has in its own input waits there as long as it might have before", async () => {
    const { main, worker, steps } = await openScene(["commands"]);
    await command(main, worker.id, "inject_text", { text: "hello" });
    const { commandId } = steps()[0] ?? {};
    await report(worker, "injected", commandId);
    await report(worker, "submitted", commandId);
    await report(worker, "acked", commandId);
    expect(steps().map(({ step, deadline }) => [step, deadline])).toEqual([
      ["accepted", "2026-01-01T00:00:10.000Z"],
      ["queued", "2026-01-01T00:30:00.000Z"],
      ["injected", "2026-01-01T00:30:00.000Z"],
      ["submitted", "2026-01-01T00:30:00.000Z"],
      ["acked", "2026-01-01T00:10:00.000Z"],
    ]);
  });

  test("to a role has a ladder for each member, with one acceptance", async () => {
    const { main, worker, steps, harness } = await openScene();
    const other = await bootWorker(harness);
    const payload = { command: "abort", reason: "end of day" };
    const { sequence } = await request(main.client, { cmd: "publish", topic: "cmd.role.worker", payload });
    await settle();
    expect(steps().map(({ step, targetPeerId }) => [step, targetPeerId])).toEqual([
      ["accepted", worker.id],
      ["accepted", other.id],
      ["queued", worker.id],
      ["queued", other.id],
    ]);
    expect(steps().slice(2)).toMatchObject([{ sequence }, { sequence }]);
    await request(other.client, { cmd: "cmd.ack", seq: sequence, status: "executed" });
    expect(
      steps()
        .slice(4)
        .map(({ targetPeerId }) => targetPeerId),
    ).toEqual([other.id, other.id]);
  });

  test("that is delivered by key has one acceptance too, and its place in the log for an id", async () => {
    const { main, worker, steps } = await openScene();
    const order = { targetPeerId: worker.id, cmdTopic: `cmd.${worker.id}.abort`, idempotencyKey: "k" };
    const { seq } = await request(main.client, { cmd: "deliver-cmd", ...order, payload: { reason: "enough" } });
    await request(main.client, { cmd: "deliver-cmd", ...order, payload: { reason: "enough" } });
    expect(stepsOf(steps())).toEqual(["accepted", "queued"]);
    expect(steps()[1]).toMatchObject({ commandId: `seq:${String(seq)}`, sequence: seq });
  });

  test("to nobody, or to one that ended, is refused by name; older clients are let", async () => {
    const { main, worker, steps } = await openScene();
    expect(await command(main, "p_00ffff", "resume")).toMatchObject({ ok: false, code: "WORKER_NOT_FOUND" });
    await say(worker, "complete", { result: "ok", summary: "done", artifacts: [], phases_completed: [] });
    expect(await command(main, worker.id, "resume")).toMatchObject({ ok: false, code: "WORKER_ENDED" });
    expect(steps()).toEqual([]);
    const old = await startCommandBus({ policy: "compat" });
    expect(await command(await boss(old), "p_00ffff", "resume")).toMatchObject({ ok: true });
  });

  test("to a worker that has ended is refused where older clients may send it", async () => {
    const harness = await startCommandBus({ policy: "compat" });
    const steps = await watchSteps(harness);
    const worker = await bootWorker(harness);
    await say(worker, "complete", { result: "ok", summary: "done", artifacts: [], phases_completed: [] });
    await command(await boss(harness), worker.id, "resume");
    await settle();
    expect(stepsOf(steps())).toEqual(["accepted", "refused"]);
    expect(steps().at(-1)).toMatchObject({ reason: "the worker ended", evidence: null });
  });

  test("is refused when too many wait for the worker, unless it stops it", async () => {
    const { main, worker, steps } = await openScene();
    for (let count = 0; count <= COMMAND_LIMITS.waitingCommands; count += 1) await command(main, worker.id, "resume");
    await command(main, worker.id, "abort", { reason: "enough" });
    await settle();
    const refused = steps().filter(({ step }) => step === "refused");
    expect(refused).toMatchObject([{ reason: "too many commands wait for the worker" }]);
    expect(steps().at(-1)).toMatchObject({ step: "queued", cmdTopic: `cmd.${worker.id}.abort` });
  });
});

describe("naming somebody", () => {
  test("finds a worker by id or name, else a terminal, whose text is typed as it may be", async () => {
    const { main, worker, harness } = await openScene();
    harness.terminals.add("9");
    const find = (target: string) => request(main.client, { cmd: "worker.find", target });
    expect(await find(worker.id)).toMatchObject({ ok: true, peer_id: worker.id, name: "worker", ended: false });
    expect(await find("worker")).toMatchObject({ peer_id: worker.id });
    expect(await find("9")).toMatchObject({ peer_id: null, terminal_id: "9" });
    expect(await find("8")).toMatchObject({ ok: false, code: "WORKER_NOT_FOUND" });
    const type = (target: string) => request(main.client, { cmd: "terminal.type", target, text: "a\n\u0003b" });
    expect(await type("9")).toMatchObject({ ok: true });
    expect(harness.terminals.typed).toEqual([{ terminalId: "9", text: "a ␃b", paste: false }]);
    expect(await type("8")).toMatchObject({ ok: false, code: "TERMINAL_NOT_FOUND" });
  });

  test("finds a worker from its hello on, however long the disk takes for it", async () => {
    const late: NewEvent[] = [];
    const alterLog = (log: EventLog): EventLog => ({
      ...log,
      append: (event, outcome) => {
        if (event.payload?.includes('"slow"') === true) late.push(event);
        else log.append(event, outcome);
      },
    });
    const harness = await startCommandBus({ alterLog });
    const main = await boss(harness);
    const { id } = await join(harness, "worker", { peerName: "slow" });
    for (const target of ["slow", id]) {
      const found = await request(main.client, { cmd: "worker.find", target });
      expect(found).toMatchObject({ ok: true, peer_id: id, name: "slow", ended: false });
    }
    expect(late).toHaveLength(1);
    expect(await request(main.client, { cmd: "worker.find", target: main.id })).toMatchObject({ ok: false });
  });
});

describe("after a restart", () => {
  test("a command whose acceptance a crash swallowed is accepted, and none is accepted twice", async () => {
    const { main, worker, harness } = await openScene();
    await command(main, worker.id, "resume");
    const payload = JSON.stringify({ reason: "enough" });
    const lost = { topic: `cmd.${worker.id}.abort`, from: main.id, payload, tsServer: "2026-01-01T00:00:00.000Z" };
    await new Promise<void>((resolve, reject) => {
      harness.log.append(lost, { committed: () => resolve(), failed: reject });
    });
    harness.clock.now += 60_000;
    const again = await harness.restart();
    const steps = await watchSteps(again);
    again.bus.checkDue();
    await settle();
    expect(steps().map(({ step, cmdTopic }) => [step, String(cmdTopic).split(".")[2]])).toEqual([
      ["accepted", "resume"],
      ["queued", "resume"],
      ["accepted", "abort"],
      ["queued", "abort"],
    ]);
    const third = await watchSteps(await again.restart());
    expect(third()).toHaveLength(4);
  });

  test("what is known is the same from a snapshot as from the log", async () => {
    const { main, worker, harness } = await openScene();
    await command(main, worker.id, "inject_text", { text: "hello" });
    await say(worker, "signal", { signal: "turn_started", source: "hook" });
    const saved = JSON.parse(JSON.stringify(harness.context.extensions.save())) as Record<string, unknown>;
    const again = await startCommandBus();
    again.context.extensions.load(saved);
    expect(again.context.extensions.save()).toEqual(saved);
    await join(again, "observer");
  });
});
