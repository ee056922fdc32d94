import { expect, test } from "vitest";
import type { BusExtension, GatedEvent } from "./extension.ts";
import type { CommittedEvent, StoredProjection } from "../state/projection.ts";
import { join, request, settle, startBus } from "../testing/bus-harness.ts";

const publish = (topic: string, payload: unknown = {}) => ({ cmd: "publish", topic, payload });

test("a gate is asked about events with a schema and about every command, and told whether they were stored", async () => {
  const seen: [string, string | null][] = [];
  const stored: boolean[] = [];
  const gate = (_peer: unknown, { topic, schema }: GatedEvent): ReturnType<NonNullable<BusExtension["gate"]>> => {
    seen.push([topic, schema]);
    if (topic.endsWith(".forbidden")) return { kind: "refused", error: "not today", more: { code: "GATE_REFUSED" } };
    return { kind: "passed", settle: (done) => void stored.push(done) };
  };
  const harness = await startBus({ extend: () => [{ name: "watch", gate }] });
  const { client } = await join(harness, "orchestrator");
  expect(await request(client, publish("cmd.p_9.pause"))).toMatchObject({ ok: true });
  expect(await request(client, publish("cmd.p_9.dance"))).toMatchObject({ ok: true });
  expect(await request(client, publish("cmd.p_9.forbidden"))).toMatchObject({
    ok: false,
    error: "not today",
    code: "GATE_REFUSED",
  });
  expect(await request(client, publish("note.hello"))).toMatchObject({ ok: true });
  expect(seen).toEqual([
    ["cmd.p_9.pause", "cmd-pause-v1"],
    ["cmd.p_9.dance", null],
    ["cmd.p_9.forbidden", null],
  ]);
  expect(stored).toEqual([true, true]);
});

test("memories know an event before anybody reacts, and what they know outlives a restart", async () => {
  const reacted: [string, number][] = [];
  const extend = () => {
    let count = 0;
    const memory: StoredProjection = {
      patterns: ["note.*"],
      apply: () => void (count += 1),
      save: () => count,
      load: (saved) => void (count = saved as number),
    };
    const react = ({ topic }: CommittedEvent): void => void reacted.push([topic, count]);
    const started = (): void => void reacted.push(["start", count]);
    return [{ name: "count", memory, reactsTo: ["note.*"], react, start: started }];
  };
  const harness = await startBus({ extend });
  const { client } = await join(harness, "orchestrator");
  await request(client, publish("note.a"));
  await request(client, publish("other.b"));
  const again = await harness.restart();
  const { client: next } = await join(again, "orchestrator");
  await request(next, publish("note.c"));
  await settle();
  expect(reacted).toEqual([
    ["start", 0],
    ["note.a", 1],
    ["start", 1],
    ["note.c", 2],
  ]);
});
