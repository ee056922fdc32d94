import { expect, test } from "vitest";
import { cursorAfter, readItem } from "./bus-item.ts";
import type { MessageFrame } from "../connection/wire-frame.ts";

const frame = (payload: unknown): MessageFrame => ({
  push: "message",
  topic: "note.x",
  from: "p_1",
  payload,
  sentAt: 1234,
  sequence: 7,
  subscriptionId: "s_1",
  cursor: "0001:7",
});

test("an event has its place, its time and what its publisher said", () => {
  const envelope = { v: 1, id: "e-1", data: { n: 1 } };
  const place = { kind: "event", topic: "note.x", from: "p_1", sequence: 7, cursor: "0001:7", storedAtMs: 1234 };
  expect(readItem(frame(envelope))).toEqual({ ...place, payload: envelope, envelope, data: { n: 1 } });
});

test.each([
  null,
  undefined,
  7,
  "text",
  [],
  {},
  { v: 1, id: {}, data: 1 },
  { v: "1", id: "x", data: 1 },
  { v: 1, id: "x" },
])("what is no envelope is taken as it is: %j", (payload) => {
  expect(readItem(frame(payload))).toMatchObject({ payload, envelope: null, data: payload });
});

test("a notice has a time and no place", () => {
  const { sequence: _sequence, cursor: _cursor, ...notice } = frame({ n: 1 });
  const item = readItem(notice);
  expect(item).toEqual({ kind: "notice", topic: "note.x", from: "p_1", sentAtMs: 1234, payload: { n: 1 } });
  expect(cursorAfter(item)).toBeUndefined();
});

test("whoever goes on after an item misses nothing and sees nothing twice", () => {
  const gap = readItem({ push: "gap", subscriptionId: "s_1", from: "0001:1", to: "0001:5", reason: "retention" });
  const caughtUp = readItem({ push: "caught-up", subscriptionId: "s_1", resumeCursor: "0001:9" });
  expect([readItem(frame(1)), gap, caughtUp].map(cursorAfter)).toEqual(["0001:7", "0001:5", "0001:9"]);
});
