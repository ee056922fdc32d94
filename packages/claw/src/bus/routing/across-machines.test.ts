import { expect, test } from "vitest";
import { createMemoryStream } from "../log/memory-log.ts";
import type { BusHarness, Joined } from "../testing/bus-harness.ts";
import { createNumbers, join, pushes, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";
import { createMemoryRoutes } from "./testing/memory-router.ts";

/** The buses of two machines on one stream, which can ask each other. */
async function startTwo(): Promise<readonly [BusHarness, BusHarness]> {
  const stream = createMemoryStream();
  const routes = createMemoryRoutes();
  const open = (name: string, first: number): Promise<BusHarness> =>
    startBus({ log: stream.open(name), ids: createNumbers(first), router: routes.open(name) });
  return [await open("one", 0), await open("two", 100)];
}

async function openTerminal({ client }: Joined, more: object = {}): Promise<string> {
  const { ok, id } = await request(client, { cmd: "create", name: "work", ...more });
  expect(ok).toBe(true);
  return String(id);
}

test("a broadcast reaches the peers of its role on every machine, once, and is typed where that is asked for", async () => {
  const [one, two] = await startTwo();
  const person = await join(one, "orchestrator");
  const there = await join(two, "orchestrator");
  const terminalId = await openTerminal(there);
  const near = await join(one, "worker");
  const far = await join(two, "worker", { terminalId });
  const subscribed = await join(two, "worker");
  await request(subscribed.client, { cmd: "subscribe", topic: "system.broadcast" });
  expect(await request(person.client, { cmd: "broadcast", text: "hurry", inject: true })).toMatchObject({
    ok: true,
    deliveredTo: 1,
  });
  await settle();
  for (const { client } of [near, far, subscribed]) {
    expect(pushes(client).filter(({ topic }) => topic === "system.broadcast")).toMatchObject([{ from: person.id }]);
  }
  expect(pushes(there.client).filter(({ topic }) => topic === "system.broadcast")).toEqual([]);
  expect(two.terminals.typed).toEqual([{ terminalId, text: "hurry", paste: true }]);
});

test("a text for one peer goes to the peer's machine", async () => {
  const [one, two] = await startTwo();
  const person = await join(one, "orchestrator");
  const far = await join(two, "worker");
  expect(await request(person.client, { cmd: "broadcast", text: "you", peerId: far.id })).toMatchObject({
    ok: true,
    deliveredTo: 1,
  });
  await settle();
  expect(pushes(far.client).filter(({ topic }) => topic === "system.broadcast")).toHaveLength(1);
});

test("a pipeline between terminals of two machines is fed by the machine of its sink", async () => {
  const [one, two] = await startTwo();
  const [source, sink] = [
    await openTerminal(await join(one, "orchestrator")),
    await openTerminal(await join(two, "orchestrator")),
  ];
  const steps = [
    { role: "source", terminalId: source },
    { role: "sink", terminalId: sink },
  ];
  const person = await join(one, "orchestrator");
  expect(await request(person.client, { cmd: "pipeline.create", steps })).toMatchObject({ ok: true });
  const watcher = await watch(one, "pipeline.*.step.*");
  const worker = await join(one, "worker", { terminalId: source });
  await request(worker.client, { cmd: "publish", topic: `output.${source}.line`, payload: { text: "ls" } });
  await settle();
  expect(one.terminals.typed).toEqual([]);
  expect(two.terminals.typed).toEqual([{ terminalId: sink, text: "ls", paste: false }]);
  expect(told(watcher)).toMatchObject([[expect.any(String), { role: "source", state: "active" }]]);
});

test("a wave that is complete closes the terminals of its members on every machine", async () => {
  const [one, two] = await startTwo();
  const lead = await join(one, "orchestrator");
  await request(lead.client, { cmd: "wave.create", waveId: "W3", manifest: ["lead", "tester"] });
  const terminalId = await openTerminal(await join(two, "orchestrator"));
  await join(two, "worker", { waveId: "W3", subWorkerRole: "tester", terminalId });
  const watcher = await watch(one, "wave.*.harvested");
  expect(await request(lead.client, { cmd: "wave.complete", waveId: "W3" })).toMatchObject({ ok: true, harvested: 1 });
  await settle();
  expect(two.terminals.closed).toMatchObject([{ terminalId, origin: "orchestrator" }]);
  expect(told(watcher)).toMatchObject([["wave.W3.harvested", { closed_terminals: [terminalId], already_closed: [] }]]);
});

test("each machine lists its own terminals, and another machine is asked by its name", async () => {
  const [one, two] = await startTwo();
  const person = await join(one, "orchestrator");
  const terminalId = await openTerminal(await join(two, "orchestrator"));
  expect(await request(person.client, { cmd: "list" })).toMatchObject({ ok: true, terminals: [] });
  expect(await request(person.client, { cmd: "list", on: "one" })).toMatchObject({ ok: true, terminals: [] });
  expect(await request(person.client, { cmd: "list", on: "two" })).toMatchObject({ terminals: [{ id: terminalId }] });
  expect(await request(person.client, { cmd: "list", on: "none" })).toMatchObject({ code: "MACHINE_AWAY" });
  const alone = await startBus();
  const { client } = await join(alone, "orchestrator");
  expect(await request(client, { cmd: "list", on: "two" })).toMatchObject({ ok: false, code: "INVALID_FLAG_VALUE" });
});
