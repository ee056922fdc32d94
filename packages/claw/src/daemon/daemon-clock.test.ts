import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DaemonClock } from "./daemon-clock.ts";
import { startClock } from "./daemon-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A clock whose looks are counted, and which is told what is due next. */
function scene(): { clock: DaemonClock; looks: number[]; due: { at: number } } {
  const looks: number[] = [];
  const due = { at: Infinity };
  const start = Date.now();
  const look = (): number => {
    looks.push(Date.now() - start);
    return due.at;
  };
  return { clock: startClock(look, Date.now), looks, due };
}

describe("a daemon's clock", () => {
  test("looks once after the start, and then waits for nothing", () => {
    const { looks } = scene();
    vi.advanceTimersByTime(24 * 60 * 60_000);
    expect([looks, vi.getTimerCount()]).toEqual([[250], 0]);
  });

  test("looks once for everything that happens at about the same time", () => {
    const { clock, looks } = scene();
    vi.advanceTimersByTime(1000);
    for (let n = 0; n < 100; n += 1) clock.touch();
    vi.advanceTimersByTime(1000);
    expect([looks, vi.getTimerCount()]).toEqual([[250, 1250], 0]);
  });

  test("looks when something is due, and earlier when something happens", () => {
    const { clock, looks, due } = scene();
    due.at = Date.now() + 30_000;
    vi.advanceTimersByTime(10_000);
    clock.touch();
    vi.advanceTimersByTime(10_000);
    expect(looks).toEqual([250, 10_250]);
    vi.advanceTimersByTime(10_000);
    expect(looks).toEqual([250, 10_250, 30_000]);
  });

  test("does not turn in circles when what is due cannot be done", () => {
    const { looks, due } = scene();
    due.at = 0;
    vi.advanceTimersByTime(1000);
    expect(looks).toEqual([250, 500, 750, 1000]);
  });

  test("waits longer than a timer can", () => {
    const { looks, due } = scene();
    due.at = Date.now() + 3e9;
    vi.advanceTimersByTime(2.9e9);
    expect(looks).toEqual([250, 250 + 2 ** 31 - 1]);
    vi.advanceTimersByTime(1e8);
    expect(looks.at(-1)).toBe(3e9);
  });

  test("that was stopped looks no more", () => {
    const { clock, looks } = scene();
    clock.stop();
    clock.touch();
    vi.advanceTimersByTime(1000);
    expect([looks, vi.getTimerCount()]).toEqual([[], 0]);
  });
});
