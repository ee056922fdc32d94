import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { EventItem } from "../subscriptions/bus-item.ts";
import type { WorkerSummaries } from "./worker-summary.ts";
import { foldWorkers } from "./worker-summary.ts";

const event = (sequence: number, topic: string, data: unknown): EventItem => ({
  kind: "event",
  topic,
  from: topic.startsWith("system.") ? "server" : "p_1",
  sequence,
  cursor: `0001:${sequence}`,
  storedAtMs: 0,
  payload: data,
  envelope: null,
  data,
});

const STORY: readonly EventItem[] = [
  event(1, "system.peer.joined", { peerId: "p_1", role: "worker", peerName: "audit", ts: "" }),
  event(2, "worker.p_1.boot", { model: "m", mission_summary: "audit", parent_peer_id: "p_0" }),
  event(3, "worker.p_1.phase", { phase: "PLAN" }),
  event(4, "worker.p_1.heartbeat", { tokens_used: 1, cost_usd: 0.1 }),
  event(5, "worker.p_1.phase", { phase: "SPAWN" }),
  event(6, "worker.p_1.heartbeat", { tokens_used: 2, cost_usd: 0.2 }),
  event(7, "system.peer.left", { peerId: "p_1", role: "worker", reason: "crash" }),
];

const fold = (events: readonly EventItem[]): WorkerSummaries =>
  events.reduce<WorkerSummaries>((workers, each) => foldWorkers(workers, each), new Map());

test("tells what became of a worker", () => {
  expect(fold(STORY).get("p_1")).toMatchObject({
    name: "audit",
    model: "m",
    missionSummary: "audit",
    parentPeerId: "p_0",
    phase: "SPAWN",
    state: "gone",
    connected: false,
    leftReason: "crash",
    tokensUsed: 2,
    costUsd: 0.2,
  });
});

test("comes to the same in whatever order events arrive", () => {
  const whole = fold(STORY).get("p_1");
  fc.assert(
    fc.property(fc.shuffledSubarray([...STORY], { minLength: STORY.length }), (events) => {
      expect(fold(events).get("p_1")).toEqual(whole);
    }),
  );
});

test("a worker that came back is connected again", () => {
  const back = event(8, "system.peer.joined", { peerId: "p_1", role: "worker", peerName: "audit", ts: "" });
  expect(fold([...STORY, back]).get("p_1")).toMatchObject({ connected: true, leftReason: null, state: "working" });
});

test.each([
  [event(9, "worker.p_1.complete", { result: "ok", summary: "fine" }), "finished"],
  [event(9, "worker.p_1.complete", { result: "cancelled", summary: "no" }), "aborted"],
  [event(9, "worker.p_1.event", { kind: "ERROR", severity: "fatal", message: "boom" }), "failed"],
  [event(9, "worker.p_1.phase", { phase: "FAILED" }), "failed"],
])("its end decides over its leaving: %o", (end, state) => {
  expect(fold([...STORY, end]).get("p_1")?.state).toBe(state);
});

test("what the server says of it counts for more than what follows from its own events", () => {
  const said = { state: "stale", reason: "nothing is heard of it", source: "clock", as_of: "2026-01-01T00:00:00.000Z" };
  const stale = event(9, "system.worker.state", { peerId: "p_1", ...said, until: null });
  const expected = { state: "stale", reason: said.reason, source: "clock", asOf: said.as_of, until: null };
  expect(fold([...STORY, stale]).get("p_1")).toMatchObject(expected);
  expect(fold([stale, ...STORY]).get("p_1")).toMatchObject(expected);
  const done = event(11, "system.worker.state", { peerId: "p_1", ...said, state: "finished", source: "self" });
  expect(fold([...STORY, done, stale]).get("p_1")).toMatchObject({ state: "finished", source: "self" });
});

test("only the server says what anybody is doing", () => {
  const forged = { ...event(9, "system.worker.state", { peerId: "p_1", state: "finished" }), from: "p_2" };
  expect(fold([...STORY, forged]).get("p_1")?.state).toBe("gone");
});

test("other peers and other topics are none of its business", () => {
  const others = [
    event(1, "system.peer.joined", { peerId: "p_2", role: "observer", peerName: "x", ts: "" }),
    event(2, "cmd.p_1.pause", {}),
    event(3, "worker.p_1.custom.deep", {}),
  ];
  expect(fold(others).size).toBe(0);
});
