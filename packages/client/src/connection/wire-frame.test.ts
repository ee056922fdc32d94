import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readFrame } from "./wire-frame.ts";

test("answers and pushes are told apart", () => {
  expect(readFrame('{"ok":true,"rid":7}')).toEqual({ kind: "reply", id: 7, reply: { ok: true, rid: 7 } });
  const gap = { push: "gap", subscriptionId: "s_1", from: "0001:1", to: "0001:5", reason: "retention" };
  expect(readFrame(JSON.stringify(gap))).toEqual({ kind: "push", push: gap });
});

test("a message without a place in the log is one all the same", () => {
  const notice = { push: "message", topic: "a.b", from: "server", payload: 1, sentAt: 5, subscriptionId: "s_1" };
  expect(readFrame(JSON.stringify(notice))).toEqual({ kind: "push", push: notice });
  expect(readFrame(JSON.stringify({ ...notice, sequence: 4 }))).toEqual({ kind: "other" });
});

test.each([
  "",
  "null",
  "[]",
  "{",
  '{"ok":false,"error":"bad json"}',
  '{"push":"message","topic":"a.b"}',
  '{"push":"novelty","subscriptionId":"s_1"}',
])("what is not known here is passed over: %s", (line) => {
  expect(readFrame(line)).toEqual({ kind: "other" });
});

test("no line makes it throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      expect(["reply", "push", "other"]).toContain(readFrame(line).kind);
    }),
  );
});
