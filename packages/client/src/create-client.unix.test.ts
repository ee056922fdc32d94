import { expect, onTestFinished, test } from "vitest";
import { until } from "../../claw/src/process/testing/until.ts";
import type { Timer } from "./platform.ts";
import { systemTimer } from "./platform.ts";
import type { BusItem } from "./subscriptions/bus-item.ts";
import { connectObserver } from "./create-client.ts";
import { connectOrchestrator } from "./orchestrator/connect-orchestrator.ts";
import { startUnixBus } from "./testing/real-bus.ts";
import { takeEvents } from "./testing/take.ts";
import { connectWorker } from "./worker/connect-worker.ts";

/** Comes back at once: attempts follow each other as fast as the loop turns. */
const eager: Timer = {
  ...systemTimer,
  after: (ms, run) => {
    if (ms >= 10_000) return systemTimer.after(ms, run);
    const handle = setImmediate(run);
    return () => clearImmediate(handle);
  },
};

async function begin() {
  const bus = await startUnixBus();
  const options = { channel: bus.channel, timer: eager };
  const writer = connectOrchestrator({ ...options, name: "writer" });
  const reader = connectObserver({ ...options, name: "reader" });
  onTestFinished(async () => {
    await Promise.all([writer.close(), reader.close()]);
  });
  return { bus, options, writer, reader };
}

const textsOf = (items: readonly BusItem[]): unknown[] =>
  items.map((item) => (item.kind === "event" ? (item.data as { text: string }).text : item.kind));

test("events published while the bus is killed and restarted arrive once, in order", async () => {
  const { bus, writer, reader } = await begin();
  const events = reader.subscribe("cmd.*.inject_text");
  await Promise.all([writer.ready(), reader.ready()]);
  await reader.request("ping");
  const texts = Array.from({ length: 3000 }, (_, index) => `${index}`);
  const published = texts.map((text) => writer.injectText("p_999999", text));
  for (const stored of [300, 1200]) {
    await until(() => bus.log.head() > stored);
    await bus.stop();
    expect(writer.status()).not.toBe("closed");
    await bus.start();
  }
  const receipts = await Promise.all(published);
  const sequences = receipts.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...new Set(sequences)].sort((left, right) => left - right));
  expect(textsOf(await takeEvents(events, texts.length))).toEqual(texts);
  const again = await takeEvents(reader.subscribe("cmd.*.inject_text", { from: "0000:0" }), texts.length);
  expect(textsOf(again)).toEqual(texts);
});

test("a worker keeps its id, its phase and its open question over a restart", async () => {
  const { bus, options, writer } = await begin();
  const worker = connectWorker({ ...options, name: "audit" });
  onTestFinished(() => worker.close());
  const { peerId } = await worker.ready();
  await worker.boot({ model: "m", mission_summary: "audit", cwd: "/" });
  await worker.phase("PLAN", "begin");
  const asked = worker.ask({ message: "rewrite or patch?", request_id: "r1" });
  await until(() => bus.log.head() >= 6);
  await bus.stop();
  const entered = worker.phase("SPAWN", "while away");
  const answered = writer.approve(peerId, "r1", { chosen: "B" });
  await bus.start();
  expect(await asked).toMatchObject({ approved: true, payload: { chosen: "B" } });
  await Promise.all([entered, answered]);
  expect(worker.peerId()).toBe(peerId);
  expect(await worker.phase("DEPLOY", "on")).toMatchObject({ duplicate: false });
});

test("a consumer that takes nothing while thousands of events pass is given each of them afterwards", async () => {
  const { writer, reader } = await begin();
  const events = reader.subscribe("cmd.*.inject_text");
  await events.ready();
  const texts = Array.from({ length: 6000 }, (_, index) => `${index} ${"x".repeat(1000)}`);
  await Promise.all(texts.map((text) => writer.injectText("p_999999", text)));
  // Its connection goes on working meanwhile.
  await reader.request("ping");
  expect(textsOf(await takeEvents(events, texts.length))).toEqual(texts);
});
