import { LIMITS } from "claw-contract";
import { schemaForTopic } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import type { LiveNotice } from "../delivery/push-live.ts";
import type { BusHarness } from "../testing/bus-harness.ts";
import { join, pushes, request, settle, startBus, told } from "../testing/bus-harness.ts";

const topicsOf = (client: Parameters<typeof told>[0]): unknown[] => told(client).map(([topic]) => topic);

/** A client that follows what the system says. */
async function listen(harness: BusHarness, more = {}) {
  const { client } = await join(harness, "observer", more);
  await request(client, { cmd: "subscribe", topic: "system.**" });
  return client;
}

/** Lets the time of one beat go by, and says when the next one is due. */
function passTime(harness: BusHarness): number {
  harness.bus.checkDue();
  harness.clock.now += LIMITS.aliveMs;
  return harness.bus.checkDue();
}

const ALIVE = ["system.heartbeat", "system.metrics", "system.terminal.7.alive"];

describe("under strict", () => {
  test("who asks for it hears every minute that bus and terminals live; nothing is stored", async () => {
    const harness = await startBus();
    harness.terminals.add("7");
    const [monitor, other] = [await listen(harness, { capabilities: ["heartbeat"] }), await listen(harness)];
    await settle();
    const [head, seen] = [harness.log.head(), pushes(monitor).length];
    expect(passTime(harness)).toBe(harness.clock.now + LIMITS.aliveMs);
    expect(passTime(harness)).toBe(harness.clock.now + LIMITS.aliveMs);
    const beats = pushes(monitor).slice(seen);
    expect(beats.map(({ topic }) => topic)).toEqual([...ALIVE, ...ALIVE]);
    const ts = new Date(harness.clock.now).toISOString();
    expect(beats.slice(3)).toMatchObject([
      { from: "server", sentAt: harness.clock.now, payload: { uptimeMs: 2 * LIMITS.aliveMs, peers: 2, terminals: 1 } },
      { payload: { publishRate_per_sec: 0, queueDepth: 0, peerCount: 2, eventLogLastSeq: head, ts } },
      { payload: { terminal_id: "7", ts } },
    ]);
    for (const { topic, payload } of beats) {
      expect(schemaForTopic(String(topic))?.schema.safeParse(payload).success).toBe(true);
    }
    expect(topicsOf(other).filter((topic) => ALIVE.includes(String(topic)))).toEqual([]);
    expect(harness.log.head()).toBe(head);
  });

  test("who asks for it hears of peers that publish too much, until they do so no more", async () => {
    const harness = await startBus({ publishRate: 2 });
    const monitor = await listen(harness, { capabilities: ["heartbeat"] });
    const flood = await join(harness, "orchestrator", { peerName: "flood" });
    harness.bus.checkDue();
    for (let count = 0; count < 5; count += 1) {
      await request(flood.client, { cmd: "publish", topic: "task.t1.note", payload: { count } });
    }
    const head = harness.log.head();
    passTime(harness);
    const metrics = (): unknown[] =>
      told(monitor).filter(([topic]) => String(topic).startsWith("system.peer.metrics."));
    const ts = new Date(harness.clock.now).toISOString();
    const counts = { droppedFrames: 0, rateLimitHits: 3, publishCount: 2 };
    const payload = { peerId: flood.id, peerName: "flood", ...counts, ts };
    expect(metrics()).toEqual([[`system.peer.metrics.${flood.id}`, payload]]);
    expect(schemaForTopic(`system.peer.metrics.${flood.id}`)?.schema.safeParse(payload).success).toBe(true);
    passTime(harness);
    expect(metrics()).toHaveLength(1);
    expect(harness.log.head()).toBe(head);
  });

  test("nothing is waited for while nobody asks, an open terminal or not, and after the last one left", async () => {
    const harness = await startBus();
    harness.terminals.add("7");
    await listen(harness);
    expect(harness.bus.checkDue()).toBe(Infinity);
    const monitor = await listen(harness, { capabilities: ["heartbeat"] });
    expect(harness.bus.checkDue()).toBe(harness.clock.now + LIMITS.aliveMs);
    monitor.close();
    await settle();
    expect(harness.bus.checkDue()).toBe(Infinity);
  });
});

describe("under compat", () => {
  test("everybody hears it without asking", async () => {
    const harness = await startBus({ policy: "compat" });
    harness.terminals.add("7");
    const monitor = await listen(harness);
    passTime(harness);
    expect(topicsOf(monitor)).toEqual(expect.arrayContaining(ALIVE));
    expect(pushes(monitor).filter((frame) => "sequence" in frame && ALIVE.includes(String(frame["topic"])))).toEqual(
      [],
    );
  });

  test("an open terminal keeps it going for those who read a file, and nothing does otherwise", async () => {
    const noticed: LiveNotice[] = [];
    const harness = await startBus({ policy: "compat", noticed: (notice) => void noticed.push(notice) });
    expect(passTime(harness)).toBe(Infinity);
    harness.terminals.add("7");
    passTime(harness);
    expect(noticed.map(({ topic }) => topic)).toEqual(ALIVE);
    await harness.terminals.close("7", "user");
    await settle();
    expect(harness.bus.checkDue()).toBe(Infinity);
  });
});
