import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { append, event } from "../../bus/log/log.conformance.ts";
import { startNatsScene } from "../testing/nats-scene.ts";
import type { ReaderOptions } from "./stream-reader.ts";
import { createStreamReader } from "./stream-reader.ts";
import { createSubjects } from "./subjects.ts";

const COUNT = 20;

/** A stream with events, and a reader of it. */
async function begin(change: Partial<ReaderOptions> = {}) {
  const scene = await startNatsScene(onTestFinished);
  const log = await scene.openLog();
  for (let n = 1; n <= COUNT; n += 1) await append(log, event(`t.${n}`));
  const { nats } = await scene.connect();
  const manager = await jetstreamManager(nats);
  const findBounds = () => Promise.resolve({ oldest: 1, newest: COUNT });
  const place = { nats, manager, stream: "claw_test", subjects: createSubjects("test"), head: () => COUNT, findBounds };
  return {
    nats,
    createReader: (more: Partial<ReaderOptions> = {}) => createStreamReader({ ...place, ...change, ...more }),
  };
}

/**
 * A connection on which a replica answers the first question for a sequence, and does not know the sequence yet. Its
 * server gives a single event for each question.
 */
function withReplicaBehind(nats: NatsConnection, sequence: number): NatsConnection {
  let isBehind = true;
  const request: NatsConnection["request"] = (subject, payload, options) => {
    const isAsked = isBehind && payload === JSON.stringify({ seq: sequence });
    if (isAsked) isBehind = false;
    return nats.request(subject, isAsked ? JSON.stringify({ seq: COUNT + 1 }) : payload, options);
  };
  const changed: Readonly<Record<PropertyKey, unknown>> = { request, info: { ...nats.info, version: "2.9.10" } };
  return new Proxy(nats, {
    get: (target, name) => changed[name] ?? (Reflect.get(target, name, target) as unknown),
  });
}

const sequences = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

test("an event that one replica does not know yet is read from another, and not left out", async () => {
  const { nats, createReader } = await begin();
  const reader = createReader({ nats: withReplicaBehind(nats, 8) });
  const first = await reader.read(0);
  expect([first.events.map(({ sequence }) => sequence), first.through]).toEqual([sequences(1, 7), 7]);
  const second = await reader.read(first.through);
  expect([second.events.map(({ sequence }) => sequence), second.through]).toEqual([sequences(8, COUNT), COUNT]);
});

test("a leader that does not know the newest events yet makes a read fail for now, and no event counts as gone", async () => {
  const { createReader } = await begin({ head: () => COUNT + 5 });
  await expect(createReader().read(COUNT)).rejects.toMatchObject({ code: "NATS_UNREACHABLE", retryable: true });
  expect((await createReader().read(0)).through).toBe(COUNT);
});
