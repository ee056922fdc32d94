import { jetstreamManager } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import type { Judges } from "../../bus/index.ts";
import type { Frame, Joined } from "../../bus/testing/bus-harness.ts";
import { join } from "../../bus/testing/bus-harness.ts";
import { describeOnNats } from "../../cluster/testing/nats-suite.ts";
import { until } from "../../process/testing/until.ts";
import { ask, logged, openIds } from "../supervision/approvals/testing/approval-scene.ts";
import { patientRequest as request } from "../testing/patient-request.ts";
import type { NatsMachine, NatsMachineOptions } from "./testing/nats-machine.ts";
import { startNatsMachine } from "./testing/nats-machine.ts";

const BOOT: Frame = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };
const BEAT: Frame = { current_phase: "PLAN", time_in_phase_ms: 0, tokens_used: 0 };

async function startWorker(machine: NatsMachine): Promise<Joined> {
  const worker = await join(machine, "worker", { peerName: "fixer" });
  const booted = await request(worker, { cmd: "publish", topic: `worker.${worker.id}.boot`, payload: BOOT });
  expect(booted).toMatchObject({ ok: true });
  return worker;
}

const spend = (worker: Joined, cost: number): Promise<Frame> =>
  request(worker, { cmd: "publish", topic: `worker.${worker.id}.heartbeat`, payload: { ...BEAT, cost_usd: cost } });

const topicsIn = async (machine: NatsMachine, start: string): Promise<string[]> =>
  (await logged(machine, start)).map(({ topic }) => topic);

/** Waits until a machine knows all that another one knows now. */
const untilKnown = (machine: NatsMachine, { log }: NatsMachine): Promise<unknown> => {
  const head = log.head();
  return until(() => machine.bus.host.knownThrough() >= head);
};

const TS = "2026-01-01T00:00:00.000Z";

const LIMITED: Partial<NatsMachineOptions> = { supervised: { perDay: { usd: 10 } } };

describeOnNats("one judge on NATS", "", (nats) => {
  const startThree = async (
    options: Partial<NatsMachineOptions> = {},
  ): Promise<readonly [NatsMachine, NatsMachine, NatsMachine]> => {
    const place = { url: nats.server().url, cluster: nats.name() };
    const start = (machine: string, first: number) => startNatsMachine(place, { machine, first, ...options });
    return [await start("one", 0), await start("two", 100), await start("three", 200)];
  };

  test("approvals of a machine that is gone: one of two people answers each, and the other is told who", async () => {
    const [one, two, three] = await startThree();
    const worker = await startWorker(one);
    const people = [await join(two, "orchestrator"), await join(three, "orchestrator")] as const;
    for (let round = 0; round < 10; round += 1) await ask(worker, `r${round}`);
    await until("all questions to be known", async () => (await openIds(people[1])).length === 10);
    const ids = await openIds(people[0]);
    await one.lose();
    await until("the machine to be gone", () => [two, three].every(({ judges }) => judges.isGone("one")));
    for (const approvalId of ids) {
      const answers = await Promise.all([
        request(people[0], { cmd: "approval.answer", approvalId, decision: "approve" }),
        request(people[1], { cmd: "approval.answer", approvalId, decision: "reject" }),
      ]);
      const winner = answers.findIndex(({ ok }) => ok);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      const by = people[winner as 0 | 1].id;
      expect(answers[1 - winner]).toMatchObject({ code: "APPROVAL_ANSWERED", details: { by } });
    }
    expect(await topicsIn(two, "system.approval.answered")).toHaveLength(10);
    expect((await topicsIn(two, `cmd.${worker.id}.`)).length).toBe(10);
  });

  test("an approval of a machine that is gone expires once, and its worker finds the answer when it is back", async () => {
    const place = { url: nats.server().url, cluster: nats.name() };
    const [one, two, three] = await Promise.all(
      ["one", "two", "three"].map((machine, n) => startNatsMachine(place, { machine, first: 100 * n })),
    );
    if (one === undefined || two === undefined || three === undefined) throw new Error("three machines");
    const worker = await startWorker(one);
    await ask(worker, "r1");
    await until(async () => (await topicsIn(two, "system.approval.opened")).length === 1);
    for (const { bus } of [two, three]) bus.checkDue();
    await one.lose();
    await until("the machine to be gone", () => [two, three].every(({ judges }) => judges.isGone("one")));
    for (const { clock } of [two, three]) clock.now += 2 * 60 * 60_000;
    await until("the approval to expire", async () => {
      for (const { bus } of [two, three]) bus.checkDue();
      return (await topicsIn(two, `cmd.${worker.id}.reject`)).length > 0;
    });
    const back = await startNatsMachine(place, { machine: "one", first: 300 });
    const person = await join(back, "orchestrator");
    expect(await openIds(person)).toEqual([]);
    expect(await topicsIn(back, "system.approval.expired")).toHaveLength(1);
    expect(await topicsIn(back, `cmd.${worker.id}.`)).toEqual([`cmd.${worker.id}.reject`]);
    expect(back.number()).toBeGreaterThan(one.number());
  });

  test("two daemons that both believe to hold the lease of a day's limit write one event for each step", async () => {
    const confused = (judges: Judges): Judges => ({ ...judges, once: (what) => ({ key: `once.${what}`, number: 5 }) });
    const machines = await startThree({ ...LIMITED, alterJudges: confused });
    const workers = await Promise.all(machines.map(startWorker));
    for (const cost of [2, 3, 4]) await Promise.all(workers.map((worker) => spend(worker, cost)));
    const [one, ...others] = machines;
    await until("the limit to be enforced", async () => (await topicsIn(one, "system.budget.exceeded")).length > 0);
    await Promise.all(workers.map((worker) => spend(worker, 5)));
    for (const other of others) await untilKnown(other, one);
    expect(await topicsIn(one, "system.budget.warning")).toHaveLength(2);
    for (const { id } of workers) expect(await topicsIn(one, `cmd.${id}.abort`)).toHaveLength(1);
  });

  test("a day's limit is enforced under the lease of one daemon, and by another when that is gone", async () => {
    const [one, two, three] = await startThree(LIMITED);
    const workers = [await startWorker(two), await startWorker(three)] as const;
    const holder = await until("one daemon to hold the lease", () => {
      for (const { bus } of [one, two, three]) bus.checkDue();
      const holders = [one, two, three].filter(({ judges }) => judges.once("day.10.none") !== undefined);
      return holders.length === 1 ? holders[0] : undefined;
    });
    await holder.lose();
    const left = holder === two ? three : two;
    const own = left === two ? workers[0] : workers[1];
    await spend(own, 12);
    await until("the limit to be enforced", async () => {
      left.bus.checkDue();
      return (await topicsIn(left, "system.budget.exceeded")).length > 0;
    });
    expect(await topicsIn(left, `cmd.${own.id}.abort`)).toHaveLength(1);
    const { events } = await left.log.read(0);
    const exceeded = events.find(({ topic }) => topic === "system.budget.exceeded");
    expect(exceeded?.lease?.key).toBe("once.day.10.none");
  });

  test("a task of a machine that is gone is closed once, by one of two machines", async () => {
    const [one, two, three] = await startThree();
    const worker = await startWorker(one);
    const people = [await join(two, "orchestrator"), await join(three, "orchestrator")] as const;
    await until("both machines to know the worker", () =>
      [two, three].every(({ bus }) => bus.host.machineOf(worker.id) === "one"),
    );
    const task = { cmd: "task.assign", title: "t", assignee: worker.id, prompt: "do it" };
    const { taskId } = await request(people[0], task);
    await untilKnown(three, two);
    await one.lose();
    await until("the machine to be gone", () => [two, three].every(({ judges }) => judges.isGone("one")));
    const closed = await Promise.all(
      people.map((person, n) =>
        request(person, { cmd: "task.complete", taskId, status: n === 0 ? "succeeded" : "failed" }),
      ),
    );
    expect(closed.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await topicsIn(two, "task.completed")).toHaveLength(1);
  });

  test("a machine whose bucket of leases began anew writes under numbers above those in the log, and is believed", async () => {
    const place = { url: nats.server().url, cluster: nats.name() };
    const two = await startNatsMachine(place, { machine: "two", first: 100 });
    const first = await startNatsMachine(place, { machine: "one", first: 0 });
    // Other leases of the cluster had higher numbers.
    const before = 1_000_000;
    const events = [{ topic: "system.worker.removed", payload: { peerId: "p_9", name: "w", by: "p_1", ts: TS } }];
    await first.leave();
    const written = two.bus.host.fence.newest("machine.one");
    expect(written).toBeLessThan(before);
    await new Promise<void>((resolve, reject) => {
      const shared = events.map((event) => ({ ...event, lease: { key: "once.fleets", number: before } }));
      two.bus.host.publish(shared, (failure) => (failure === undefined ? resolve() : reject(failure)));
    });
    const manager = await jetstreamManager(await nats.connect());
    await two.leave();
    await manager.streams.delete(`KV_claw_${place.cluster}_leases`);
    const again = await startNatsMachine(place, { machine: "one", first: 200 });
    expect(again.number()).toBeGreaterThan(written);
    const other = await startNatsMachine(place, { machine: "two", first: 300 });
    const worker = await startWorker(again);
    await until("the other machine to know the worker", () => other.bus.host.machineOf(worker.id) === "one");
    const mark = await until("a lease of the cluster", () => again.judges.once("fleets"));
    expect(mark.number).toBeGreaterThan(before);
  });
});
