import type { ForegroundProgram } from "claw-contract";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { createForegroundWatch } from "./foreground-watch.ts";

/** A watch of a process that is the test's choice; its clock is the test's. */
function openWatch(first?: number) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const told: ForegroundProgram[] = [];
  const state = { pid: first, asked: 0 };
  const pid = (): number | undefined => {
    state.asked += 1;
    return state.pid;
  };
  return { watch: createForegroundWatch(pid, (foreground) => told.push(foreground)), told, state };
}

/** A process that is gone has nobody in its foreground. */
const GONE = 2 ** 30;
const NOBODY = { pid: null, basename: null, contentType: "unknown" };

test("it looks once for many touches, and tells a change once", async () => {
  const { watch, told, state } = openWatch(GONE);
  watch.touch();
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs - 1);
  watch.touch();
  expect(state.asked).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect([state.asked, told]).toEqual([1, [NOBODY]]);
  watch.touch();
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs);
  expect([state.asked, told.length]).toEqual([2, 1]);
});

test("without a process there is nothing to tell, until there is one", async () => {
  const { watch, told, state } = openWatch();
  watch.touch();
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs);
  expect(told).toEqual([]);
  state.pid = GONE;
  watch.touch();
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs);
  expect(told).toEqual([NOBODY]);
});

test("after a stop nothing is looked for or told", async () => {
  const { watch, told, state } = openWatch(GONE);
  watch.touch();
  watch.stop();
  await vi.advanceTimersByTimeAsync(10 * LIMITS.foregroundMs);
  expect([state.asked, told]).toEqual([0, []]);
  watch.touch();
  await vi.advanceTimersByTimeAsync(LIMITS.foregroundMs);
  expect(told).toEqual([]);
});

test("a look that is under way when it is stopped tells nothing", async () => {
  const { watch, told } = openWatch(GONE);
  watch.touch();
  vi.advanceTimersByTime(LIMITS.foregroundMs);
  watch.stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([]);
});
