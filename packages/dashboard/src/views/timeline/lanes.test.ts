import { expect, test } from "vitest";
import { eventRowOf } from "../../store/event-row.ts";
import { item } from "../../testing/event-item.ts";
import { lanesOf, marksInView, moved, zoomed } from "./lanes.ts";

const row = (at: number, topic: string, data: object) =>
  eventRowOf(item(topic, data, { sequence: at, cursor: `0001:${at}`, storedAtMs: at }));
const state = (at: number, word: string) =>
  row(at, "system.worker.state", { peerId: "p_1", state: word, reason: "why" });
const signal = (at: number, word: string) => row(at, "worker.p_1.signal", { signal: word, detail: "Bash: ls" });

test("a lane has states, tools, marks and the cost of all lives", () => {
  const rows = [
    row(1, "system.peer.joined", { peerId: "p_9", peerName: "page" }),
    row(2, "worker.p_1.boot", { model: "m" }),
    state(3, "working"),
    state(4, "working"),
    signal(5, "tool_started"),
    signal(7, "tool_ended"),
    row(8, "worker.p_1.heartbeat", { cost_usd: 0.5 }),
    row(9, "worker.p_1.event", { kind: "REQUEST", message: "May I?" }),
    state(10, "needs_input"),
    row(11, "worker.p_1.boot", { model: "m" }),
    row(12, "worker.p_1.heartbeat", { cost_usd: 0.25 }),
    state(13, "finished"),
    row(14, "worker.p_1.phase", { phase: "REFLECT" }),
  ];
  expect(lanesOf(rows, 20)).toEqual([
    {
      peerId: "p_1",
      states: [
        { tone: "busy", text: "working · why", from: 3, to: 10 },
        { tone: "asks", text: "needs_input · why", from: 10, to: 13 },
      ],
      tools: [{ tone: "tool", text: "tool_started · Bash: ls", from: 5, to: 7 }],
      marks: [
        { kind: "asks", at: 9, cursor: "0001:9", text: "May I?" },
        { kind: "phase", at: 14, cursor: "0001:14", text: "REFLECT" },
      ],
      costUsd: 0.75,
    },
  ]);
});

test("what goes on ends now", () => {
  const [lane] = lanesOf([state(3, "working"), signal(5, "tool_started")], 20);
  expect([lane?.states[0]?.to, lane?.tools[0]?.to]).toEqual([20, 20]);
});

test("a state from before the first event begins with the events, or where the worker took it", () => {
  const change = row(7, "system.worker.state", { peerId: "p_1", previous: "paused", state: "working", reason: "" });
  const known = (id: string, state: "paused" | "finished", asOf: number) => ({
    peer_id: id,
    state,
    as_of: new Date(asOf).toISOString(),
    ended: state === "finished",
  });
  const workers = [
    known("p_1", "paused", 1),
    known("p_2", "paused", 1),
    known("p_3", "finished", 1),
    known("p_4", "paused", 6),
  ];
  const lanes = lanesOf([row(5, "worker.p_1.heartbeat", {}), change], 20, workers);
  expect(lanes.map(({ peerId, states }) => [peerId, ...states])).toEqual([
    ["p_1", { tone: "waits", text: "paused", from: 5, to: 7 }, { tone: "busy", text: "working", from: 7, to: 20 }],
    ["p_2", { tone: "waits", text: "paused", from: 5, to: 20 }],
    ["p_4", { tone: "waits", text: "paused", from: 6, to: 20 }],
  ]);
});

test("a range is zoomed around its middle and moved, and stays inside all of time", () => {
  const all = { from: 0, to: 100_000 };
  expect(zoomed(all, 0.5, all)).toEqual({ from: 25_000, to: 75_000 });
  expect(zoomed({ from: 0, to: 2000 }, 0.01, all)).toEqual({ from: 500, to: 1500 });
  expect(zoomed({ from: 90_000, to: 100_000 }, 100, all)).toEqual(all);
  expect(moved({ from: 80_000, to: 90_000 }, 2, all)).toEqual({ from: 90_000, to: 100_000 });
  expect(moved({ from: 10_000, to: 20_000 }, -2, all)).toEqual({ from: 0, to: 10_000 });
});

test("where marks are close, the worst is drawn", () => {
  const mark = (at: number, kind: "bad" | "phase") => ({ kind, at, cursor: `0001:${at}`, text: "" });
  const marks = [mark(1, "phase"), mark(2, "bad"), mark(3, "phase"), mark(60, "phase"), mark(500, "bad")];
  expect(marksInView(marks, { from: 0, to: 100 }, 10).map(({ at }) => at)).toEqual([2, 60]);
});
