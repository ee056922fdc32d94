import { expect, test } from "vitest";
import { createMemoryStream } from "../log/memory-log.ts";
import { createNumbers, join, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

test("two buses that share a stream tell their own clients of each other's events, in one order", async () => {
  const stream = createMemoryStream();
  const [here, there] = [
    await startBus({ log: stream.open() }),
    await startBus({ log: stream.open(), ids: createNumbers(100) }),
  ];
  const watchers = [await watch(here, "ping.*"), await watch(there, "ping.*")];
  const [one, other] = [await join(here, "orchestrator"), await join(there, "orchestrator")];
  const replies = await Promise.all([
    request(one.client, { cmd: "publish", topic: "ping.here", payload: { n: 1 } }),
    request(other.client, { cmd: "publish", topic: "ping.there", payload: { n: 2 } }),
  ]);
  await settle();
  const [first, second] = watchers.map(told);
  expect(second).toEqual(first);
  expect(first?.map(([topic]) => topic).toSorted()).toEqual(["ping.here", "ping.there"]);
  // Each bus counts the subscriptions of its own clients.
  expect(replies).toMatchObject([
    { ok: true, deliveredTo: 1 },
    { ok: true, deliveredTo: 1 },
  ]);
});

test("a bus takes the events of another bus into its state", async () => {
  const stream = createMemoryStream();
  const [here, there] = [
    await startBus({ log: stream.open() }),
    await startBus({ log: stream.open(), ids: createNumbers(100) }),
  ];
  await join(here, "orchestrator");
  await settle();
  expect(there.context.projections.through()).toBe(here.context.projections.through());
  expect([...there.context.state.presence.present()]).toEqual([...here.context.state.presence.present()]);
});
