import { expect, test } from "vitest";
import { isReplyTo, misfitIn } from "./check-shape.ts";

test("a reply has the fields of its request, and may have others", () => {
  expect([isReplyTo("ping", { serverTime: 1, more: "x" }), misfitIn("ping", { serverTime: 1 })]).toEqual([
    true,
    undefined,
  ]);
});

test.each([
  [{}, "serverTime"],
  [{ serverTime: "1" }, "serverTime"],
])("%j is no reply to ping: the first field that is wrong is named", (reply, field) => {
  expect([isReplyTo("ping", reply), misfitIn("ping", reply)]).toEqual([false, field]);
});
