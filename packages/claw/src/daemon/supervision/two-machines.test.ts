import { expect, test } from "vitest";
import { createMemoryStream } from "../../bus/log/memory-log.ts";
import type { BusHarness, Frame, Joined } from "../../bus/testing/bus-harness.ts";
import { createNumbers, join, pushes, request, settle } from "../../bus/testing/bus-harness.ts";
import { startSupervisedBus } from "../testing/supervised-bus.ts";
import { answer, ask, logged, openIds } from "./approvals/testing/approval-scene.ts";

/** The daemons of two machines on one stream. Their peers have ids of their own, as blocks of ids give them. */
async function startTwo(): Promise<readonly [BusHarness, BusHarness]> {
  const stream = createMemoryStream();
  const one = await startSupervisedBus({ log: stream.open("one"), ids: createNumbers(0) });
  const two = await startSupervisedBus({ log: stream.open("two"), ids: createNumbers(100) });
  return [one, two];
}

const BOOT: Frame = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };

async function startWorker(harness: BusHarness): Promise<Joined> {
  const worker = await join(harness, "worker", { peerName: "fixer" });
  const booted = await request(worker.client, { cmd: "publish", topic: `worker.${worker.id}.boot`, payload: BOOT });
  expect(booted).toMatchObject({ ok: true });
  return worker;
}

const stateIn = async ({ client }: Joined, peerId: string): Promise<unknown> => {
  const { workers } = await request(client, { cmd: "worker.list" });
  return (workers as readonly { peer_id: string; state: string }[]).find((each) => each.peer_id === peerId)?.state;
};

/** Topics of the server's events, each with how often it is in the log. */
async function serverEvents(harness: BusHarness): Promise<Record<string, number>> {
  await settle();
  const counts: Record<string, number> = {};
  for (const { topic, from } of await logged(harness, "system.")) {
    if (from === "server" && !topic.startsWith("system.peer.")) counts[topic] = (counts[topic] ?? 0) + 1;
  }
  return counts;
}

test("a worker of one machine is seen, approved and aborted from another, and no event is written twice", async () => {
  const [one, two] = await startTwo();
  const worker = await startWorker(one);
  const person = await join(two, "orchestrator");
  await ask(worker, "r1");
  await settle();
  expect(await stateIn(person, worker.id)).toBe("needs_input");
  const [id = ""] = await openIds(person);
  expect(await answer(person, id, "approve")).toMatchObject({ ok: true });
  await settle();
  expect(await openIds(person)).toEqual([]);
  const approve = pushes(worker.client).find(({ topic }) => topic === `cmd.${worker.id}.approve`);
  expect(approve).toMatchObject({ from: person.id });
  const aborted = { cmd: "publish", topic: `cmd.${worker.id}.abort`, payload: { reason: "enough" } };
  expect(await request(person.client, aborted)).toMatchObject({ ok: true });
  await settle();
  expect(pushes(worker.client).map(({ topic }) => topic)).toContain(`cmd.${worker.id}.abort`);
  const counts = await serverEvents(one);
  expect(counts["system.approval.opened"]).toBe(1);
  expect(counts["system.approval.answered"]).toBe(1);
  expect(counts["system.command.accepted"]).toBe(2);
  expect(counts["system.command.queued"]).toBe(2);
});

test("a daemon that starts again does nothing for the workers of another machine", async () => {
  const [one, two] = await startTwo();
  const worker = await startWorker(one);
  await ask(worker, "r1");
  const before = await serverEvents(one);
  const again = await two.restart();
  again.clock.now += 10 * 60_000;
  again.bus.checkDue();
  again.bus.checkPeers();
  await settle();
  expect(await serverEvents(one)).toEqual(before);
  const left = (await logged(one, "system.peer.left")).map(({ payload }) => payload["peerId"]);
  expect(left).not.toContain(worker.id);
  one.bus.checkDue();
});

test("the daemon of the worker lets its approval expire, once, when both clocks are late", async () => {
  const [one, two] = await startTwo();
  const worker = await startWorker(one);
  await ask(worker, "r1");
  for (const harness of [two, one]) {
    harness.clock.now += 2 * 60 * 60_000;
    harness.bus.checkDue();
  }
  const counts = await serverEvents(two);
  expect(counts["system.approval.expired"]).toBe(1);
});

test("both daemons know the same after the same events", async () => {
  const [one, two] = await startTwo();
  const workers = [await startWorker(one), await startWorker(two)];
  for (const worker of workers) await ask(worker, "r1");
  await settle();
  const persons = [await join(one, "orchestrator"), await join(two, "orchestrator")] as const;
  expect(await openIds(persons[0])).toEqual(await openIds(persons[1]));
  for (const { id } of workers) {
    expect(await stateIn(persons[0], id)).toBe("needs_input");
    expect(await stateIn(persons[1], id)).toBe("needs_input");
  }
  expect((await serverEvents(one))["system.approval.opened"]).toBe(2);
});

test("what a worker on another machine says counts as its progress, its log entries too", async () => {
  const [one, two] = await startTwo();
  const worker = await startWorker(one);
  const persons = [await join(one, "orchestrator"), await join(two, "orchestrator")] as const;
  const progressIn = async ({ client }: Joined): Promise<unknown> => {
    const { workers } = await request(client, { cmd: "worker.list" });
    return (workers as readonly { peer_id: string; last_progress: string }[]).find(
      ({ peer_id: id }) => id === worker.id,
    )?.last_progress;
  };
  for (const message of ["first", "second", "third"]) {
    one.clock.now += 1000;
    const payload = { kind: "LOG", severity: "info", message };
    const said = await request(worker.client, { cmd: "publish", topic: `worker.${worker.id}.event`, payload });
    expect(said).toMatchObject({ ok: true });
    await settle();
    const at = new Date(one.clock.now).toISOString();
    expect(await Promise.all(persons.map(progressIn))).toEqual([at, at]);
  }
});
