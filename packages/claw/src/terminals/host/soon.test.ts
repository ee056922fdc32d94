import { expect, onTestFinished, test, vi } from "vitest";
import { createSoon } from "./soon.ts";

test("one timer does for all that is asked for meanwhile, and the next begins after it", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const soon = createSoon(10);
  const seen: string[] = [];
  soon(() => seen.push("one"));
  vi.advanceTimersByTime(9);
  soon(() => {
    seen.push("two");
    soon(() => seen.push("three"));
  });
  expect([seen, vi.getTimerCount()]).toEqual([[], 1]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual(["one", "two"]);
  vi.advanceTimersByTime(10);
  expect(seen).toEqual(["one", "two", "three"]);
});
