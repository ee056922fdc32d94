import { describe, expect, test } from "vitest";
import { createMemoryCluster } from "../../bus/leases/testing/memory-judges.ts";
import { createMemoryStream } from "../../bus/log/memory-log.ts";
import { createMemoryRoutes } from "../../bus/routing/testing/memory-router.ts";
import type { BusHarness, Frame, Joined } from "../../bus/testing/bus-harness.ts";
import { createNumbers, join, pushes, request, settle } from "../../bus/testing/bus-harness.ts";
import { startSupervisedBus } from "../testing/supervised-bus.ts";
import { ask, logged, openIds } from "./approvals/testing/approval-scene.ts";

const HOUR_MS = 60 * 60_000;
const NAMES = ["one", "two", "three"] as const;

type Options = Omit<NonNullable<Parameters<typeof startSupervisedBus>[0]>, "log" | "ids" | "router" | "judges">;

/** The daemons of three machines on one stream. */
async function startThree(options: Options = {}) {
  const [stream, routes, cluster] = [createMemoryStream(), createMemoryRoutes(), createMemoryCluster()];
  const open = (name: string, index: number): Promise<BusHarness> =>
    startSupervisedBus({
      ...options,
      log: stream.open(name, () => 1),
      ids: createNumbers(100 * index),
      router: routes.open(name),
      judges: cluster.open(name),
    });
  const [one, two, three] = (await Promise.all(NAMES.map(open))) as [BusHarness, BusHarness, BusHarness];
  return { one, two, three, all: [one, two, three], routes, cluster };
}

type Three = Awaited<ReturnType<typeof startThree>>;

/** The machine `one` ends without a word. */
function loseOne({ one, routes, cluster }: Three): void {
  one.stop();
  routes.cut("one");
  cluster.lose("one");
}

const BOOT: Frame = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };

async function startWorker(harness: BusHarness): Promise<Joined> {
  const worker = await join(harness, "worker", { peerName: "fixer" });
  const booted = await request(worker.client, { cmd: "publish", topic: `worker.${worker.id}.boot`, payload: BOOT });
  expect(booted).toMatchObject({ ok: true });
  return worker;
}

async function topicsIn(harness: BusHarness, start: string): Promise<readonly string[]> {
  await settle();
  return (await logged(harness, start)).map(({ topic }) => topic);
}

/** The answers that the worker gets. */
const commandsFor = ({ client, id }: Joined): unknown[] =>
  pushes(client)
    .map(({ topic }) => topic)
    .filter((topic) => /^cmd\.[^.]+\.(?:approve|reject)$/.test(String(topic)) && String(topic).includes(id));

const answerOf = (approvalId: string, decision: string): Frame => ({ cmd: "approval.answer", approvalId, decision });

describe("an approval whose machine is gone", () => {
  test("is answered once: of two people on two machines one answers, and the other is told who", async () => {
    const three = await startThree();
    const worker = await startWorker(three.one);
    const people = [await join(three.two, "orchestrator"), await join(three.three, "orchestrator")] as const;
    for (let round = 0; round < 10; round += 1) await ask(worker, `r${round}`);
    await settle();
    const ids = await openIds(people[0]);
    loseOne(three);
    for (const id of ids) {
      const answers = await Promise.all([
        request(people[0].client, answerOf(id, "approve")),
        request(people[1].client, answerOf(id, "reject")),
      ]);
      const winner = answers.findIndex(({ ok }) => ok);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      const by = people[winner as 0 | 1].id;
      expect(answers[1 - winner]).toMatchObject({ code: "APPROVAL_ANSWERED", details: { by } });
    }
    expect(await topicsIn(three.two, "system.approval.answered")).toHaveLength(10);
    expect(await topicsIn(three.two, `cmd.${worker.id}.`)).toHaveLength(10);
  });

  test("stays with its machine until that is gone", async () => {
    const three = await startThree();
    const worker = await startWorker(three.one);
    const person = await join(three.two, "orchestrator");
    await ask(worker, "r1");
    await settle();
    const [id = ""] = await openIds(person);
    three.routes.cut("one");
    expect(await request(person.client, answerOf(id, "approve"))).toMatchObject({ code: "MACHINE_AWAY" });
    expect(await topicsIn(three.two, "system.approval.answered")).toEqual([]);
  });

  test("expires once, when its own time is over, by the clock of the daemon that lets it expire", async () => {
    const three = await startThree();
    const worker = await startWorker(three.one);
    // The clock of another machine may be an hour ahead.
    three.two.clock.now += HOUR_MS;
    await ask(worker, "r1");
    await settle();
    const look = async (ms: number): Promise<void> => {
      for (const { clock, bus } of [three.two, three.three]) {
        clock.now += ms;
        bus.checkDue();
      }
      await settle();
    };
    await look(0);
    await look(2 * HOUR_MS);
    expect(await topicsIn(three.two, "system.approval.expired")).toEqual([]);
    // Its machine may be gone at any time from now on.
    for (const { bus, clock } of [three.two, three.three]) expect(bus.checkDue()).toBeLessThanOrEqual(clock.now + 5000);
    loseOne(three);
    await look(0);
    expect(await topicsIn(three.two, "system.approval.expired")).toHaveLength(1);
    await look(HOUR_MS);
    expect(await topicsIn(three.two, "system.approval.expired")).toHaveLength(1);
    expect(await topicsIn(three.two, `cmd.${worker.id}.`)).toEqual([`cmd.${worker.id}.reject`]);
  });

  test("expires once although two daemons believe to hold the lease, and its machine comes back meanwhile", async () => {
    const three = await startThree();
    const worker = await startWorker(three.one);
    await ask(worker, "r1");
    await settle();
    for (const { bus } of three.all) bus.checkDue();
    three.cluster.lose("one");
    three.cluster.confuse();
    for (const { clock } of three.all) clock.now += 2 * HOUR_MS;
    for (const { bus } of three.all) bus.checkDue();
    expect(await topicsIn(three.two, "system.approval.expired")).toHaveLength(1);
    expect(await topicsIn(three.two, `cmd.${worker.id}.`)).toEqual([`cmd.${worker.id}.reject`]);
    expect(commandsFor(worker)).toHaveLength(1);
    const people = await Promise.all(three.all.map((harness) => join(harness, "orchestrator")));
    for (const person of people) expect(await openIds(person)).toEqual([]);
  });
});

test("a task whose machine is gone is closed once, by any machine, and its daemon knows when it is back", async () => {
  const three = await startThree();
  const worker = await startWorker(three.one);
  const people = [await join(three.two, "orchestrator"), await join(three.three, "orchestrator")] as const;
  const assign = { cmd: "task.assign", title: "t", assignee: worker.id, prompt: "do it" };
  const { taskId } = await request(people[0].client, assign);
  loseOne(three);
  const statuses = ["succeeded", "failed"];
  const closed = await Promise.all(
    people.map(({ client }, index) => request(client, { cmd: "task.complete", taskId, status: statuses[index] })),
  );
  expect(closed.map(({ ok }) => ok)).toEqual([true, true]);
  expect(await topicsIn(three.two, "task.completed")).toHaveLength(1);
  const back = await three.one.restart();
  const tasks = await Promise.all(
    [back, three.two].map(async (harness) => {
      const { client } = await join(harness, "observer");
      return (await request(client, { cmd: "task.list" }))["tasks"];
    }),
  );
  expect(tasks[0]).toEqual(tasks[1]);
});

describe("limits of many machines", () => {
  const BEAT = { current_phase: "PLAN", time_in_phase_ms: 0, tokens_used: 0 };
  const spend = async ({ client, id }: Joined, cost: number): Promise<void> => {
    const payload = { ...BEAT, cost_usd: cost };
    expect(await request(client, { cmd: "publish", topic: `worker.${id}.heartbeat`, payload })).toMatchObject({
      ok: true,
    });
  };
  const LIMITED: Options = {
    supervised: { perDay: { usd: 10 } },
    budget: { capUsd: 20, thresholdsUsd: [10, 16, 20] },
  };

  test("a day's limit warns once and stops each worker once, by the holder of its lease alone", async () => {
    const three = await startThree(LIMITED);
    for (const { bus } of three.all) bus.checkDue();
    const workers = [
      await startWorker(three.one),
      await startWorker(three.two),
      await startWorker(three.three),
    ] as const;
    await Promise.all(workers.map((worker) => spend(worker, 2)));
    expect(await topicsIn(three.one, "system.budget.warning")).toHaveLength(1);
    await Promise.all(workers.map((worker) => spend(worker, 4)));
    const written = (await logged(three.one, "system.budget.")).map(({ topic }) => topic);
    // At five and eight dollars of the day, and at ten of the workspace.
    expect(written.filter((topic) => topic === "system.budget.warning")).toHaveLength(3);
    expect(written.filter((topic) => topic === "system.budget.exceeded")).toHaveLength(1);
    for (const { id } of workers) expect(await topicsIn(three.one, `cmd.${id}.abort`)).toHaveLength(1);
    const { events } = await three.one.log.read(0);
    const leases = events.filter(({ topic }) => topic.startsWith("system.budget.")).map(({ lease }) => lease?.key);
    expect(new Set(leases)).toEqual(new Set(["once.day.10.none", "once.cap.20"]));
  });

  test("two daemons that both believe to hold the lease write one event for each warning and each stop", async () => {
    const three = await startThree(LIMITED);
    three.cluster.confuse();
    const workers = [
      await startWorker(three.one),
      await startWorker(three.two),
      await startWorker(three.three),
    ] as const;
    await Promise.all(workers.map((worker) => spend(worker, 2)));
    await Promise.all(workers.map((worker) => spend(worker, 4)));
    expect(await topicsIn(three.one, "system.budget.warning")).toHaveLength(3);
    expect(await topicsIn(three.one, "system.budget.exceeded")).toHaveLength(1);
    for (const { id } of workers) expect(await topicsIn(three.one, `cmd.${id}.abort`)).toHaveLength(1);
  });

  test("are enforced by another daemon when the holder of the lease is gone, also when nothing is spent any more", async () => {
    const three = await startThree(LIMITED);
    for (const { bus } of three.all) bus.checkDue();
    const worker = await startWorker(three.two);
    three.one.stop();
    three.one.log.follow(() => 0);
    await spend(worker, 12);
    expect(await topicsIn(three.two, "system.budget.")).toEqual([]);
    three.cluster.lose("one");
    for (const { bus } of [three.two, three.three]) bus.checkDue();
    expect((await topicsIn(three.two, "system.budget.exceeded")).length).toBe(1);
    expect(await topicsIn(three.two, `cmd.${worker.id}.abort`)).toHaveLength(1);
    expect(await topicsIn(three.two, "system.budget.warning")).toHaveLength(3);
  });
});
