import { array, assert, asyncProperty, constant, constantFrom, integer, oneof, record } from "fast-check";
import { expect, test } from "vitest";
import type { BusHarness, Frame } from "../../../bus/testing/bus-harness.ts";
import { join, request, settle, startBus } from "../../../bus/testing/bus-harness.ts";
import type { NewEvent } from "../../../bus/log/event-log.ts";
import type { EventLog } from "../../../bus/log/index.ts";
import { answer, ask, extendWith, logged, openIds, story } from "./testing/approval-scene.ts";

/** A log that is cut off after so many events of the server, as if the process had died there. */
function dyingLog(isLast: (event: NewEvent) => boolean): { alterLog: (log: EventLog) => EventLog; revive: () => void } {
  let isDead = false;
  return {
    revive: () => (isDead = false),
    alterLog: (log) => ({
      ...log,
      append: (event, listener) => {
        if (!isDead) log.append(event, listener);
        isDead ||= isLast(event);
      },
    }),
  };
}

const on =
  (end: string) =>
  ({ topic }: NewEvent): boolean =>
    topic.endsWith(end);

async function dieAt(end: string): Promise<{ harness: BusHarness; again: BusHarness; worker: string; person: string }> {
  const { alterLog, revive } = dyingLog(on(end));
  const harness = await startBus({ extend: extendWith(), alterLog });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  const [id] = await openIds(person);
  if (id !== undefined) await answer(person, id, "approve");
  revive();
  return { harness, again: await harness.restart(), worker: worker.id, person: person.id };
}

test.each([".event", "approval.opened"])(
  "a question that was cut off after %s is open after a restart",
  async (end) => {
    const { alterLog, revive } = dyingLog(on(end));
    const harness = await startBus({ extend: extendWith(), alterLog });
    const worker = await join(harness, "worker");
    await ask(worker, "r1");
    revive();
    const again = await harness.restart();
    const person = await join(again, "orchestrator");
    expect(await story(again)).toEqual(["server opened"]);
    const [id = ""] = await openIds(person);
    expect(await answer(person, id, "approve")).toMatchObject({ ok: true });
  },
);

test("an answer that was cut off before its command still reaches the worker, once", async () => {
  const { again, worker, person } = await dieAt("approval.answered");
  const told = ["server opened", "server answered", `${person} cmd.${worker}.approve`];
  expect(await story(again)).toEqual(told);
  expect(await story(await again.restart())).toEqual(told);
});

test("a raw command that was cut off before its record is recorded, once", async () => {
  const { alterLog, revive } = dyingLog(on(".reject"));
  const harness = await startBus({ extend: extendWith(), alterLog });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  const payload = { correlation_id: "r1", reason: "no" };
  await request(person.client, { cmd: "publish", topic: `cmd.${worker.id}.reject`, payload });
  revive();
  const told = ["server opened", `${person.id} cmd.${worker.id}.reject`, "server answered"];
  const again = await harness.restart();
  expect(await story(again)).toEqual(told);
  expect(await story(await again.restart())).toEqual(told);
});

test("what ran out of time while nobody was there is refused after the start", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  await ask(worker, "r1");
  harness.clock.now += 2 * 60 * 60_000;
  const again = await harness.restart();
  again.bus.checkDue();
  expect(await story(again)).toEqual(["server opened", "server expired", `server cmd.${worker.id}.reject`]);
});

test("a worker that was started anew asks anew: what it asked before is over", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  const [old = ""] = await openIds(person);
  harness.log.append(
    {
      topic: "system.worker.spawned",
      from: "server",
      tsServer: "2026-01-01T00:00:00.000Z",
      payload: JSON.stringify({ peerId: worker.id, bootId: "b2" }),
    },
    { committed: () => undefined, failed: () => undefined },
  );
  await settle();
  const again = await harness.restart();
  expect(await story(again)).toEqual(["server opened", "server expired"]);
  const late = await join(again, "orchestrator");
  expect(await answer(late, old, "approve")).toMatchObject({ ok: false, code: "WORKER_ENDED" });
});

const step = oneof(
  record({ do: constant("ask"), r: integer({ min: 1, max: 2 }), c: constantFrom("ls", "rm x") }),
  record({
    do: constantFrom("answer", "raw"),
    r: integer({ min: 1, max: 2 }),
    c: constantFrom("approve", "reject"),
  }),
  record({
    do: constantFrom("restart", "later", "together"),
    r: integer({ min: 1, max: 2 }),
    c: constant(""),
  }),
);

/** Every approval of the log has one beginning for each end, and never two ends. */
function isSound(events: readonly Frame[]): boolean {
  const open = new Set<unknown>();
  for (const { topic, payload } of events as readonly { topic: string; payload: Frame }[]) {
    const id = payload["approvalId"];
    if (topic.endsWith(".opened")) {
      if (open.has(id)) return false;
      open.add(id);
    } else if (!open.delete(id)) return false;
  }
  return true;
}

test("whatever the order, and wherever it is started anew, each approval has one end", async () => {
  await assert(
    asyncProperty(array(step, { maxLength: 14 }), async (steps) => {
      let harness = await startBus({ extend: extendWith() });
      const log = harness.log;
      const nonce = "n1";
      const enter = async (): Promise<Awaited<ReturnType<typeof join>>[]> => [
        await join(harness, "worker", { instanceNonce: nonce, capabilities: ["resume"] }),
        await join(harness, "orchestrator"),
      ];
      let [worker, person] = await enter();
      if (worker === undefined || person === undefined) throw new Error("nobody came");
      for (const { do: what, r, c } of steps) {
        if (what === "ask") await ask(worker, `r${r}`, { data: { command: c, timeout_ms: 60_000 } });
        const [first = "none", last = first] = await openIds(person);
        const raw = {
          cmd: "publish",
          topic: `cmd.${worker.id}.${c}`,
          payload: { correlation_id: `r${r}`, reason: "x" },
        };
        if (what === "answer") await answer(person, r === 1 ? first : last, c);
        if (what === "raw") await request(person.client, raw);
        if (what === "together") await Promise.all([answer(person, first, "approve"), answer(person, first, "reject")]);
        if (what === "later") {
          harness.clock.now += 61_000;
          harness.bus.checkDue();
          await settle();
        }
        if (what === "restart") {
          harness = await harness.restart();
          [worker = worker, person = person] = await enter();
        }
      }
      await settle();
      expect(isSound(await logged({ log }, "system.approval."))).toBe(true);
    }),
    { numRuns: 60 },
  );
});
