import { expect, test } from "vitest";
import { createMemoryStream } from "../../bus/log/memory-log.ts";
import type { MemoryRoutes } from "../../bus/routing/testing/memory-router.ts";
import { createMemoryRoutes } from "../../bus/routing/testing/memory-router.ts";
import type { BusHarness, Frame, Joined } from "../../bus/testing/bus-harness.ts";
import { createNumbers, join, pushes, request, settle } from "../../bus/testing/bus-harness.ts";
import { patientRequest } from "../testing/patient-request.ts";
import { spawnedEvent } from "../testing/spawned-event.ts";
import { NOT_STARTED, startSupervisedBus } from "../testing/supervised-bus.ts";
import { ask, logged, openIds } from "./approvals/testing/approval-scene.ts";

interface Machines {
  readonly one: BusHarness;
  readonly two: BusHarness;
  readonly three: BusHarness;
  readonly routes: MemoryRoutes;
}

/** The daemons of three machines on one stream, which can ask each other. */
async function startThree(): Promise<Machines> {
  const stream = createMemoryStream();
  const routes = createMemoryRoutes();
  const open = (name: string, first: number): Promise<BusHarness> =>
    startSupervisedBus({ log: stream.open(name), ids: createNumbers(first), router: routes.open(name) });
  return { one: await open("one", 0), two: await open("two", 100), three: await open("three", 200), routes };
}

const BOOT: Frame = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };

async function startWorker(harness: BusHarness): Promise<Joined> {
  const worker = await join(harness, "worker", { peerName: "fixer" });
  const booted = await request(worker.client, { cmd: "publish", topic: `worker.${worker.id}.boot`, payload: BOOT });
  expect(booted).toMatchObject({ ok: true });
  return worker;
}

const answerOf = (approvalId: string, decision: string): Frame => ({ cmd: "approval.answer", approvalId, decision });

const countOf = async (harness: BusHarness, start: string): Promise<number> => {
  await settle();
  return (await logged(harness, start)).length;
};

test("of two people on two machines exactly one answers an approval, and the other is told so", async () => {
  const { one, two, three } = await startThree();
  const worker = await startWorker(one);
  const people = [await join(two, "orchestrator"), await join(three, "orchestrator")] as const;
  for (let round = 0; round < 10; round += 1) {
    await ask(worker, `r${round}`);
    await settle();
    const [id = ""] = await openIds(people[0]);
    const answers = await Promise.all([
      request(people[0].client, answerOf(id, "approve")),
      request(people[1].client, answerOf(id, "reject")),
    ]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => ok === false)).toMatchObject({ code: "APPROVAL_ANSWERED" });
  }
  expect(await countOf(one, "system.approval.answered")).toBe(10);
  const decided = [
    ...(await logged(one, `cmd.${worker.id}.approve`)),
    ...(await logged(one, `cmd.${worker.id}.reject`)),
  ];
  expect(decided).toHaveLength(10);
});

test("a command is judged by the daemon of its worker, under the id of the peer that sent it", async () => {
  const { one, two } = await startThree();
  const worker = await startWorker(one);
  const person = await join(two, "orchestrator", { capabilities: ["receipts"] });
  const topic = `cmd.${worker.id}.abort`;
  const sent = await request(person.client, { cmd: "publish", topic, payload: { reason: "enough" } });
  expect(sent).toMatchObject({ ok: true, duplicate: false });
  const { events } = await two.log.read(0);
  const stored = events.find((event) => event.topic === topic);
  expect(stored).toMatchObject({ from: person.id, machine: "one", sequence: sent["sequence"] });
});

test("a publisher gets its own command only when it asks for an echo, and then before the answer", async () => {
  const { one, two } = await startThree();
  const worker = await startWorker(one);
  const person = await join(two, "orchestrator");
  await request(person.client, { cmd: "subscribe", topic: "cmd.**" });
  const send = (text: string, echo: boolean): Promise<Frame> => {
    const payload = { text };
    return request(person.client, { cmd: "publish", topic: `cmd.${worker.id}.inject_text`, payload, echo });
  };
  await send("quiet", false);
  expect(pushes(person.client)).toEqual([]);
  await send("loud", true);
  expect(pushes(person.client)).toHaveLength(1);
});

test("a task is decided by the daemon of its assignee: of two that close it, one does", async () => {
  const { one, two, three } = await startThree();
  const worker = await startWorker(one);
  const people = [await join(two, "orchestrator"), await join(three, "orchestrator")] as const;
  const assigned = await request(people[0].client, {
    cmd: "task.assign",
    title: "t",
    assignee: worker.id,
    prompt: "do it",
  });
  expect(assigned).toMatchObject({ ok: true });
  const { taskId } = assigned;
  const closed = await Promise.all(
    people.map(({ client }) => request(client, { cmd: "task.complete", taskId, status: "succeeded" })),
  );
  expect(closed.map(({ ok }) => ok)).toEqual([true, true]);
  expect(await countOf(one, "task.completed")).toBe(1);
});

test("a worker's request stays a worker's on another machine", async () => {
  const { one, two } = await startThree();
  await startWorker(one);
  const other = await join(two, "worker", { peerName: "other" });
  const refused = await request(other.client, { cmd: "worker.accept", worker: "fixer" });
  expect(refused).toMatchObject({ ok: false, error: "requires role: orchestrator" });
});

test("a daemon speaks for no peer of another machine, and gives no peer another role", async () => {
  const { one, two, routes } = await startThree();
  const worker = await startWorker(one);
  const forger = routes.open("forger");
  const observer = await join(two, "observer");
  const line = JSON.stringify({ cmd: "publish", topic: `cmd.${worker.id}.abort`, payload: {} });
  const askAs = async (id: string, role: string, from = forger): Promise<unknown> => {
    const question = { peer: { id, role, name: "x", capabilities: [] }, through: 0, line };
    return JSON.parse((JSON.parse(await from.ask("one", JSON.stringify(question))) as { frame: string }).frame);
  };
  expect(await askAs(observer.id, "observer")).toMatchObject({ ok: false, error: "auth:invalid" });
  expect(await askAs(observer.id, "orchestrator", routes.open("two"))).toMatchObject({ ok: false });
  await expect(forger.ask("one", "no json")).rejects.toMatchObject({ code: "MACHINE_AWAY" });
  expect(await countOf(one, "cmd.")).toBe(0);
});

test("a token does not leave its machine", async () => {
  const { one, two, routes } = await startThree();
  const worker = await startWorker(one);
  const person = await join(two, "orchestrator");
  let heard = "";
  routes.open("one").serve(({ question }) => {
    heard = question;
    return Promise.reject(new Error("no"));
  });
  const bearer = "secret-token-text";
  await request(person.client, { cmd: "worker.diff", worker: worker.id, bearer });
  expect(heard).not.toContain(bearer);
});

test("says that the machine is away, and when to try again", async () => {
  const { one, two, routes } = await startThree();
  const worker = await startWorker(one);
  const person = await join(two, "orchestrator");
  routes.cut("one");
  const topic = `cmd.${worker.id}.abort`;
  for (const frame of [
    { cmd: "publish", topic, payload: {} },
    { cmd: "worker.transcript", worker: "fixer" },
  ]) {
    expect(await request(person.client, frame)).toMatchObject({
      ok: false,
      code: "MACHINE_AWAY",
      retry_after_ms: expect.any(Number) as number,
    });
  }
});

test("a spawn goes to the machine it names, where the name is claimed; a worker starts others on its own machine", async () => {
  const stream = createMemoryStream();
  const routes = createMemoryRoutes();
  const claimed: string[] = [];
  const open = (machine: string, first: number, isTaken = false): Promise<BusHarness> => {
    const claimName = (name: string): Promise<(() => Promise<void>) | undefined> => {
      claimed.push(`${machine} ${name}`);
      return Promise.resolve(isTaken ? undefined : () => Promise.resolve());
    };
    const router = routes.open(machine);
    return startSupervisedBus({
      log: stream.open(machine),
      ids: createNumbers(first),
      router,
      supervised: { claimName },
    });
  };
  const one = await open("one", 0);
  await open("two", 100);
  await open("three", 200, true);
  const person = await join(one, "orchestrator");
  const spawn = { cmd: "worker.spawn", harness: "fake", mission: "go", name: "w" };
  expect(await request(person.client, { ...spawn, on: "two" })).toMatchObject({ ok: false, code: NOT_STARTED });
  expect(await request(person.client, { ...spawn, on: "three" })).toMatchObject({ code: "WORKER_NAME_TAKEN" });
  expect(await request(person.client, { ...spawn, on: "none" })).toMatchObject({ code: "MACHINE_AWAY" });
  expect(await request(person.client, spawn)).toMatchObject({ code: NOT_STARTED });
  expect(claimed).toEqual(["two w", "three w", "one w"]);
  const worker = await startWorker(one);
  expect(await request(worker.client, { ...spawn, on: "two" })).toMatchObject({ code: "PERMISSION_DENIED" });
  const bad = await request(person.client, { ...spawn, on: "no machine" });
  expect(bad).toMatchObject({ ok: false, code: "INVALID_FLAG_VALUE" });
});

test("a name that another machine has started a worker under is taken, also when its claim is over", async () => {
  const stream = createMemoryStream();
  const two = await startSupervisedBus({ log: stream.open("two"), ids: createNumbers(100) });
  /** Between the choice of a name and its claim, machine two starts a worker of that name. */
  const late: string[] = [];
  const claimName = async (name: string): Promise<() => Promise<void>> => {
    late.push(name);
    const payload = spawnedEvent(`p_0000${60 + late.length}`, { name });
    if (late.length < 3) two.bus.host.publish([{ topic: "system.worker.spawned", payload }], () => undefined);
    await settle();
    return () => Promise.resolve();
  };
  const one = await startSupervisedBus({ log: stream.open("one"), ids: createNumbers(0), supervised: { claimName } });
  const person = await join(one, "orchestrator");
  const spawn = { cmd: "worker.spawn", harness: "fake", mission: "go on" };
  expect(await patientRequest(person, { ...spawn, name: "w" })).toMatchObject({ code: "WORKER_NAME_TAKEN" });
  // Without a wish for a name, the next free one is taken.
  expect(await patientRequest(person, spawn)).toMatchObject({ code: NOT_STARTED });
  expect(late).toHaveLength(3);
  expect(late[2]).not.toBe(late[1]);
});

test("a daemon without a cluster starts no worker elsewhere", async () => {
  const harness = await startSupervisedBus();
  const person = await join(harness, "orchestrator");
  const spawn = { cmd: "worker.spawn", harness: "fake", mission: "go" };
  expect(await request(person.client, { ...spawn, on: "two" })).toMatchObject({ code: "INVALID_FLAG_VALUE" });
  expect(await request(person.client, { ...spawn, on: "any" })).toMatchObject({ code: NOT_STARTED });
  expect(await request(person.client, { cmd: "machine.list" })).toMatchObject({ machines: [] });
});

test("a terminal is followed, typed into and resized by the daemon of its machine", async () => {
  const { one, two } = await startThree();
  const owner = await join(one, "orchestrator");
  const { id: terminalId } = await request(owner.client, { cmd: "create", name: "work", argv: ["/bin/sh"] });
  await settle();
  const person = await join(two, "orchestrator");
  one.terminals.print(String(terminalId), "before ");
  const first = await request(person.client, { cmd: "terminal.output", terminalId });
  const bytesOf = ({ data }: Frame): string => Buffer.from(String(data), "base64").toString();
  expect([bytesOf(first), first["ended"]]).toEqual(["before ", false]);
  const waiting = request(person.client, { cmd: "terminal.output", terminalId, offset: first["next"], waitMs: 10_000 });
  one.terminals.print(String(terminalId), "after");
  expect(bytesOf(await waiting)).toBe("after");
  const data = Buffer.from("ls\r").toString("base64");
  expect(await request(person.client, { cmd: "terminal.write", terminalId, data })).toMatchObject({ ok: true });
  expect(one.terminals.written.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(["ls\r"]);
  const resized = await request(person.client, { cmd: "terminal.resize", terminalId, cols: 100, rows: 30 });
  expect(resized).toMatchObject({ ok: true });
  const ending = request(person.client, { cmd: "terminal.output", terminalId, offset: 12, waitMs: 10_000 });
  await request(person.client, { cmd: "close", terminalId });
  expect(await ending).toMatchObject({ ok: true, ended: true, data: "" });
  const observer = await join(two, "observer");
  expect(await request(observer.client, { cmd: "terminal.write", terminalId, data })).toMatchObject({ ok: false });
});
