import { expect, test } from "vitest";
import { createLateSignal } from "./late-signal.ts";

const reason = new Error("enough");

test("a signal that is first read after the abort was aborted, with the same reason", () => {
  const late = createLateSignal();
  late.abort(reason);
  late.abort(new Error("later"));
  expect([late.reason, late.signal.aborted, late.signal.reason]).toEqual([reason, true, reason]);
});

test("an abort reaches the signal that was read before it, and each listener that is left, once", () => {
  const late = createLateSignal();
  const heard: string[] = [];
  const { signal } = late;
  late.onAbort(() => heard.push("one"));
  late.onAbort(() => heard.push("removed"))();
  expect([late.reason, signal.aborted, late.signal === signal]).toEqual([undefined, false, true]);
  late.abort(reason);
  late.abort(reason);
  expect([heard, signal.reason]).toEqual([["one"], reason]);
});
