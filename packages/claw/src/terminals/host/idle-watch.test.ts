import { expect, test } from "vitest";
import { createIdleWatch } from "./idle-watch.ts";

const look = (now: number, more = {}) => ({ isOwn: true, isNeeded: false, now, ...more });

test("a host is idle when nobody has needed it for the whole time, from its start on", () => {
  const watch = createIdleWatch(100, 1000);
  expect([watch(look(1000)), watch(look(1099)), watch(look(1100))]).toEqual(["goes on", "goes on", "idle"]);
});

test("the time begins anew whenever it is needed", () => {
  const watch = createIdleWatch(100, 1000);
  expect(watch(look(1500, { isNeeded: true }))).toBe("goes on");
  expect([watch(look(1599)), watch(look(1600))]).toEqual(["goes on", "idle"]);
});

test("a host whose place is another's is lost, needed or not", () => {
  const watch = createIdleWatch(100, 1000);
  expect([watch(look(1000, { isOwn: false })), watch(look(1000, { isOwn: false, isNeeded: true }))]).toEqual([
    "lost",
    "lost",
  ]);
  expect(watch(look(5000, { isOwn: false }))).toBe("lost");
});
