import { expect, test } from "vitest";
import type { EventLog } from "../log/index.ts";
import { createMemoryLog } from "../log/index.ts";
import { join, settle, startBus } from "../testing/bus-harness.ts";

const event = (action: string) => ({ topic: `cmd.p_000009.${action}`, payload: { reason: "lunch" } });

test("published events stand next to each other in the log before `done` is called", async () => {
  const { bus, log } = await startBus();
  const outcomes: unknown[] = [];
  bus.host.publish([event("pause"), event("resume")], (failure) => outcomes.push([failure, bus.host.headSequence()]));
  bus.host.publish([], (failure) => outcomes.push(failure));
  await settle();
  const { events } = await log.read(0);
  expect(events.map(({ topic, from }) => [topic, from])).toEqual([
    ["cmd.p_000009.pause", "server"],
    ["cmd.p_000009.resume", "server"],
  ]);
  expect(outcomes).toEqual([undefined, [undefined, events.at(-1)?.sequence]]);
});

test("an event that the log refuses is told to `done`", async () => {
  const full = (log: EventLog): EventLog => ({
    ...log,
    head: () => log.head(),
    append: (_refused, commit) => commit.failed(new Error("no space")),
  });
  const { bus } = await startBus({ log: full(createMemoryLog()) });
  const failures: unknown[] = [];
  bus.host.publish([event("pause")], (failure) => failures.push(failure));
  await settle();
  expect(failures).toEqual([new Error("no space")]);
});

test("peers are seen while they are connected, and the cursor of the head goes on after the newest event", async () => {
  const harness = await startBus();
  const { host } = harness.bus;
  const { id, client } = await join(harness, "worker", { peerName: "lexer" });
  expect(host.peers.get(id)).toMatchObject({ id, role: "worker", name: "lexer", lastSeen: harness.clock.now });
  expect(host.cursorAt(host.headSequence())).toBe(`${harness.log.epoch}:${harness.log.head()}`);
  client.close();
  await settle();
  expect([...host.peers.keys()]).toEqual([]);
});

test("a silence counts from the last wake-up", async () => {
  const harness = await startBus();
  const started = harness.bus.host.silenceCountsFrom();
  harness.clock.now += 60_000;
  harness.bus.wake();
  expect(harness.bus.host.silenceCountsFrom()).toBe(started + 60_000);
});
