import { expect, test } from "vitest";
import { createMemoryStream } from "../log/memory-log.ts";
import type { BusHarness } from "../testing/bus-harness.ts";
import { createNumbers, join, request, settle, startBus, told, watch } from "../testing/bus-harness.ts";

/** Two daemons of machine `one`, of which the first has lost the name to the second, and a daemon of machine `two`. */
async function startThree() {
  const stream = createMemoryStream();
  const open = (machine: string, number: number, first: number): Promise<BusHarness> =>
    startBus({ log: stream.open(machine, () => number), ids: createNumbers(first) });
  return { old: await open("one", 3, 0), late: await open("one", 7, 100), two: await open("two", 5, 200) };
}

const TS = "2026-01-01T00:00:00.000Z";

const said = (n: number) => [
  { topic: "system.worker.removed", payload: { peerId: `p_${n}`, name: "w", by: "p_9", ts: TS } },
];

test("what a daemon says after a later holder of its machine's name has written counts nowhere", async () => {
  const { old, late, two } = await startThree();
  const watchers = [await watch(two, "system.worker.removed"), await watch(old, "system.worker.removed")];
  const outcomes: unknown[] = [];
  const say = async ({ bus }: BusHarness, n: number): Promise<void> => {
    bus.host.publish(said(n), (failure) => void outcomes.push((failure as { code?: string } | undefined)?.code));
    await settle();
  };
  await say(old, 1);
  await say(late, 2);
  await say(old, 3);
  await say(two, 4);
  await say(late, 5);
  expect(outcomes).toEqual([undefined, undefined, "MACHINE_NAME_TAKEN", undefined, undefined]);
  const counted = ["p_1", "p_2", "p_4", "p_5"];
  for (const watcher of watchers) {
    expect(told(watcher).map(([, payload]) => (payload as { peerId: string }).peerId)).toEqual(counted);
  }
  // A subscriber that reads the log again, and a daemon that starts again, ignore the same.
  const again = await two.restart();
  const reader = await join(again, "observer");
  const subscribed = { cmd: "subscribe", topic: "system.worker.removed", fromCursor: "0000:0" };
  expect(await request(reader.client, subscribed)).toMatchObject({ ok: true });
  await settle();
  expect(told(reader.client).map(([, payload]) => (payload as { peerId: string }).peerId)).toEqual(counted);
  expect(again.bus.host.fence.save()).toEqual(late.bus.host.fence.save());
  expect([...again.context.state.presence.present()]).toEqual([...late.context.state.presence.present()]);
});

test("what a peer of such a daemon says still counts", async () => {
  const { old, late, two } = await startThree();
  const person = await join(old, "orchestrator");
  await join(late, "orchestrator");
  const watcher = await watch(two, "ping.*");
  expect(await request(person.client, { cmd: "publish", topic: "ping.a", payload: { n: 1 } })).toMatchObject({
    ok: true,
  });
  await settle();
  expect(told(watcher)).toHaveLength(1);
});
