import { describe, expect, test } from "vitest";
import { createMemoryLog } from "../log/index.ts";
import { settle, startBus } from "../testing/bus-harness.ts";
import { createTokenStore } from "./tokens/index.ts";

const WORKER = { role: "worker", peerName: "w", capabilities: ["resume", "receipts"] };
const WEEK_MS = 7 * 24 * 60 * 60_000;

const phase = (to: string, prev: string | null) => ({
  phase: to,
  prev,
  transition_reason: "test",
  phases_completed: [],
});

describe("a client that asks to resume", () => {
  test("is given a token and a boot id, others are not", async () => {
    const { connect } = await startBus();
    expect(await connect().hello(WORKER)).toMatchObject({
      restored: false,
      bootId: expect.any(String),
      resumeToken: expect.stringMatching(/^resume1\./),
    });
    expect(Object.keys(await connect().hello({ role: "worker" }))).not.toContain("resumeToken");
  });

  test("is told where the log ended when it came, so that it misses nothing after its hello", async () => {
    const { connect, bus } = await startBus();
    const boss = connect();
    await boss.hello({ role: "orchestrator" });
    for (const capability of ["resume", "gap"]) {
      const client = connect();
      const head = bus.host.headSequence();
      const { resumeCursor } = await client.hello({ role: "observer", capabilities: [capability] });
      expect(resumeCursor).toBe(`0001:${head}`);
      await boss.ask({ cmd: "publish", topic: "note.a", payload: { capability } });
      await client.ask({ cmd: "subscribe", topic: "note.*", fromCursor: resumeCursor });
      expect(client.pushes()).toMatchObject([{ topic: "note.a", payload: { capability } }]);
      const again = await client.hello({});
      expect(again).toMatchObject({ idempotent: true, resumeCursor: `0001:${bus.host.headSequence()}` });
    }
    expect(Object.keys(await connect().hello({ role: "observer", capabilities: ["receipts"] }))).not.toContain(
      "resumeCursor",
    );
  });

  test("keeps its id, boot and phase when it comes back", async () => {
    const { connect } = await startBus();
    const first = connect();
    const hello = await first.hello(WORKER);
    const topic = `worker.${String(hello["peerId"])}.phase`;
    await first.ask({ cmd: "publish", topic, payload: phase("PLAN", null) });
    first.raw.close();
    await settle();
    const second = connect();
    const { peerId, bootId, resumeToken } = hello;
    expect(await second.hello({ ...WORKER, resumeToken })).toMatchObject({
      peerId,
      bootId,
      restored: true,
      phase: "PLAN",
    });
    expect(await second.ask({ cmd: "publish", topic, payload: phase("SPAWN", "PLAN") })).toMatchObject({ ok: true });
  });

  test("keeps them over a restart of the bus", async () => {
    const log = createMemoryLog();
    const tokens = createTokenStore(() => 0);
    const before = await startBus({ log, tokens });
    const first = before.connect();
    const { peerId, bootId, resumeToken } = await first.hello(WORKER);
    const topic = `worker.${String(peerId)}.phase`;
    await first.ask({ cmd: "publish", topic, payload: phase("PLAN", null) });
    const after = await startBus({ log, tokens });
    const second = after.connect();
    expect(await second.hello({ ...WORKER, resumeToken })).toMatchObject({ peerId, bootId, restored: true });
    expect(await second.ask({ cmd: "publish", topic, payload: phase("SPAWN", "PLAN") })).toMatchObject({ ok: true });
  });

  test("shuts its older connection out", async () => {
    const { connect } = await startBus();
    const observer = connect();
    await observer.hello({ role: "observer" });
    await observer.ask({ cmd: "subscribe", topic: "system.peer.left" });
    const stale = connect();
    const { peerId, resumeToken } = await stale.hello(WORKER);
    const newest = connect();
    expect(await newest.hello({ ...WORKER, resumeToken })).toMatchObject({ peerId, restored: true });
    expect([stale.raw.ended(), stale.frames().at(-1)]).toEqual([
      true,
      { push: "fenced", protocol: "claws/2", peerId, reason: "taken-over" },
    ]);
    expect(await newest.ask({ cmd: "ping" })).toMatchObject({ ok: true });
    expect(observer.pushes()).toEqual([]);
  });

  test("refuses frames of a shut-out connection that is slow to end", async () => {
    const { bus } = await startBus();
    const sent: string[] = [];
    const open = () => bus.accept({ send: (frame) => void sent.push(frame), congested: () => false, end: () => {} });
    const hello = { cmd: "hello", protocol: "claws/2", ...WORKER };
    const stale = open();
    stale.line(JSON.stringify(hello));
    const { resumeToken } = JSON.parse(sent[0] ?? "") as { resumeToken: string };
    const newest = open();
    newest.line(JSON.stringify({ ...hello, resumeToken }));
    stale.line('{"id":7,"cmd":"peers"}');
    expect(JSON.parse(sent.at(-1) ?? "")).toMatchObject({
      rid: 7,
      ok: false,
      error: "fenced: a newer connection took over",
    });
    stale.closed();
    expect(bus.host.peers.size).toBe(1);
  });

  test("begins anew with a token that is forged, expired, or another's in role or name", async () => {
    const { connect, clock } = await startBus();
    const first = connect();
    const { peerId, resumeToken } = await first.hello(WORKER);
    const others = [
      { ...WORKER, resumeToken: `${String(resumeToken)}x` },
      { ...WORKER, resumeToken: 1 },
      { ...WORKER, peerName: "other", resumeToken },
      { ...WORKER, role: "observer", resumeToken },
    ];
    for (const other of others) {
      const hello = await connect().hello(other);
      expect(hello).toMatchObject({ ok: true, restored: false });
      expect(hello["peerId"]).not.toBe(peerId);
    }
    first.raw.close();
    await settle();
    clock.now += WEEK_MS + 1;
    expect(await connect().hello({ ...WORKER, resumeToken })).toMatchObject({ restored: false });
  });

  test("goes on after a connection that lasted longer than its token, and after a restart then", async () => {
    const [log, tokens] = [createMemoryLog(), createTokenStore(() => 0)];
    const { connect, clock } = await startBus({ log, tokens });
    const first = connect();
    const { peerId, resumeToken } = await first.hello(WORKER);
    clock.now += 20 * WEEK_MS;
    first.raw.close();
    await settle();
    const second = connect();
    expect(await second.hello({ ...WORKER, resumeToken })).toMatchObject({ peerId, restored: true });
    const again = await startBus({ log, tokens });
    again.clock.now = clock.now + WEEK_MS;
    expect(await again.connect().hello({ ...WORKER, resumeToken })).toMatchObject({ peerId, restored: true });
  });
});
