import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { expect, onTestFinished, test } from "vitest";
import { append, collect, event } from "../../bus/log/log.conformance.ts";
import type { EventLog } from "../../bus/index.ts";
import { until } from "../../process/testing/until.ts";
import { findNatsServers } from "../../../../../scripts/nats/give-nats.mjs";
import { startCutProxy } from "../testing/cut-proxy.ts";
import { startNatsScene } from "../testing/nats-scene.ts";
import type { SeenStream, StreamMemory } from "./stream-epoch.ts";
import { readsBatches } from "./stream-reader.ts";
import { openStreamLog } from "./open-stream-log.ts";

/** Appends until the log takes the event, as a client's spool does. */
async function appendUntilTaken(log: EventLog, item: Parameters<EventLog["append"]>[0]): Promise<number> {
  for (;;) {
    const outcome = await append(log, item).catch((error: unknown) => error);
    if (typeof outcome === "number") return outcome;
    if ((outcome as { readonly code?: unknown }).code !== "NATS_UNREACHABLE") throw outcome;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const topicsOf = async (log: EventLog): Promise<string[]> => (await collect(log)).map(({ topic }) => topic);

/** The topics that a feed brings, in its order. */
function followTopics(log: EventLog): string[] {
  const seen: string[] = [];
  log.follow(({ topic, sequence }) => {
    seen.push(`${sequence} ${topic}`);
    return 0;
  });
  return seen;
}

function createMemory(): StreamMemory {
  let known: SeenStream | undefined;
  return { load: () => known, save: (seen) => void (known = seen) };
}

test("a server that is killed and started again loses and repeats no event, for writers and for readers", async () => {
  const scene = await startNatsScene(onTestFinished);
  const [mine, other] = [await scene.openLog({ machine: "m1" }), await scene.openLog({ machine: "m2" })];
  const feeds = [followTopics(mine), followTopics(other)];
  const wanted = Array.from({ length: 600 }, (_, n) => `t.${n}`);
  const write = async (log: EventLog, topics: readonly string[]): Promise<void> => {
    for (const topic of topics) await appendUntilTaken(log, { ...event(topic), sent: { id: topic, body: topic } });
  };
  const writing = Promise.all([write(mine, wanted.slice(0, 300)), write(other, wanted.slice(300))]);
  for (const count of [100, 300]) {
    await until("events to be stored", () => mine.head() >= count);
    await scene.restartServer();
  }
  await writing;
  const stored = await collect(mine);
  expect(stored.map(({ topic }) => topic).toSorted()).toEqual(wanted.toSorted());
  const places = stored.map(({ sequence, topic }) => `${sequence} ${topic}`);
  await until("both feeds to bring all", () => feeds.every((feed) => feed.length >= places.length));
  expect(feeds).toEqual([places, places]);
});

test("an acknowledgement that is lost with its connection is found again; the event is stored once", async () => {
  const scene = await startNatsScene(onTestFinished);
  const proxy = await startCutProxy(scene.server().port);
  onTestFinished(() => proxy.close());
  const connection = await scene.connect({ url: proxy.url });
  const options = { cluster: "test", machine: "m1", limits: { bytes: 1e6 }, report: () => undefined };
  const log = await openStreamLog(connection, options);
  onTestFinished(() => log.close());
  const direct = await scene.openLog({ machine: "m2" });
  const seen = followTopics(log);
  await append(log, event("before"));
  proxy.swallowAnswers();
  const lost = [append(log, event("lost")), append(log, { ...event("sent"), sent: { id: "e1", body: "x" } })];
  await until("the stream to have them", () => direct.head() === 3);
  proxy.cut();
  expect(await Promise.all(lost)).toEqual([2, 3]);
  expect(seen).toEqual(["1 before", "2 lost", "3 sent"]);
  expect(await topicsOf(direct)).toEqual(["before", "lost", "sent"]);
});

test("without NATS, events of peers are refused and those of the server wait, in their order", async () => {
  const scene = await startNatsScene(onTestFinished);
  const log = await scene.openLog();
  await scene.server().kill();
  await until("the log to notice", () => !log.isReady());
  await expect(append(log, event("worker.p_1.event"))).rejects.toMatchObject({
    code: "NATS_UNREACHABLE",
    retryable: true,
    options: { retryAfterMs: expect.any(Number) },
  });
  const waiting = ["system.a", "system.b"].map((topic) => append(log, { ...event(topic), from: "server" }));
  await scene.restartServer();
  expect(await Promise.all(waiting)).toEqual([1, 2]);
  await until("the log to be ready", () => log.isReady());
  expect(await append(log, event("worker.p_1.event"))).toBe(3);
  expect(await topicsOf(log)).toEqual(["system.a", "system.b", "worker.p_1.event"]);
});

test("events that retention removed are left out, and the oldest is told", async () => {
  const scene = await startNatsScene(onTestFinished);
  const log = await scene.openLog({ limits: { bytes: 64 * 1024 } });
  for (let n = 1; n <= 300; n += 1) await append(log, event("t", "x".repeat(1000)));
  const [first] = await collect(log);
  const oldest = first?.sequence ?? 0;
  expect(oldest).toBeGreaterThan(200);
  expect((await collect(log)).map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 300 - oldest + 1 }, (_, n) => oldest + n),
  );
  const again = await scene.openLog({ machine: "m2" });
  expect([log.oldest(), again.oldest()]).toEqual([oldest, oldest]);
});

test("a stream that is deleted and made again is another epoch, which all machines agree on", async () => {
  const scene = await startNatsScene(onTestFinished);
  const memory = createMemory();
  const log = await scene.openLog({ memory });
  await append(log, event("old"));
  const manager = await jetstreamManager((await scene.connect()).nats);
  await manager.streams.delete("claw_test");
  const made = await scene.openLog({ machine: "m2" });
  expect([log.epoch, made.epoch]).toEqual(["0001", "0002"]);
  await append(made, event("new"));
  await expect(log.lost).resolves.toMatchObject({ code: "NATS_STREAM_REPLACED" });
  await expect(append(log, event("late"))).rejects.toMatchObject({ code: "NATS_UNREACHABLE" });
  const again = await scene.openLog({ memory });
  expect([again.epoch, await topicsOf(again)]).toEqual(["0002", ["new"]]);
});

test("a server that is restored to an older point has another epoch for those who saw more", async () => {
  const scene = await startNatsScene(onTestFinished);
  const store = join(scene.folder, "nats", "store");
  const [memory, otherMemory] = [createMemory(), createMemory()];
  const log = await scene.openLog({ memory });
  for (const topic of ["a", "b"]) await append(log, event(topic));
  await scene.server().kill("SIGTERM");
  cpSync(store, join(scene.folder, "copy"), { recursive: true });
  await scene.restartServer();
  const other = await scene.openLog({ machine: "m2", memory: otherMemory });
  await until("the log to be ready", () => log.isReady());
  await append(log, event("c"));
  await until("the other to have seen all", () => other.head() === 3);
  await scene.server().kill("SIGTERM");
  rmSync(store, { recursive: true });
  cpSync(join(scene.folder, "copy"), store, { recursive: true });
  await scene.restartServer();
  await expect(log.lost).resolves.toMatchObject({ code: "NATS_STREAM_REPLACED" });
  await expect(other.lost).resolves.toMatchObject({ code: "NATS_STREAM_REPLACED" });
  await Promise.all([log.close(), other.close()]);
  const again = [
    await scene.openLog({ memory }),
    await scene.openLog({ machine: "m2", memory: otherMemory }),
    await scene.openLog({ machine: "m3" }),
  ];
  expect(again.map(({ epoch }) => epoch)).toEqual(["0002", "0002", "0002"]);
});

const pausing = findNatsServers().find(({ version }) => readsBatches(version));

test.skipIf(pausing === undefined)("a consumer that lives and brings nothing is replaced", async () => {
  const scene = await startNatsScene(onTestFinished, pausing?.path);
  const log = await scene.openLog({ lookMs: 50 });
  const manager = await jetstreamManager((await scene.connect()).nats);
  const [consumer] = await manager.consumers.list("claw_test").next();
  await manager.consumers.pause("claw_test", consumer?.name ?? "", new Date(Date.now() + 3_600_000));
  const other = await scene.openLog({ machine: "m2" });
  await append(other, event("a"));
  await until("the feed to bring it", () => log.head() === 1);
  expect(await append(log, event("b"))).toBe(2);
});

test("a stream that cannot keep the promises is refused, with the field", async () => {
  const scene = await startNatsScene(onTestFinished);
  const manager = await jetstreamManager((await scene.connect()).nats);
  await manager.streams.add({ name: "claw_test", subjects: ["claw.test.>"], max_bytes: 1e6, allow_direct: true });
  await expect(scene.openLog()).rejects.toMatchObject({
    code: "NATS_STREAM_UNFIT",
    options: { details: { field: "deny_delete" } },
  });
});
