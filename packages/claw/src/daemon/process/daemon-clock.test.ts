import { once } from "node:events";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { DaemonClock } from "./daemon-clock.ts";
import { startClock } from "./daemon-clock.ts";

const TIMES = { now: () => Date.now(), steady: () => performance.now() };
const AT_ONCE = { afterReading: (done: () => void) => done() };

/** A clock whose looks are counted, and which is told what is due next. */
function scene(): { clock: DaemonClock; looks: number[]; due: { at: number } } {
  const looks: number[] = [];
  const due = { at: Infinity };
  const start = Date.now();
  const look = (): number => {
    looks.push(Date.now() - start);
    return due.at;
  };
  return { clock: startClock(look, { ...TIMES, ...AT_ONCE }), looks, due };
}

describe("a daemon's clock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

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

  test("looks at activity less often when a look takes long, and still when something is due", () => {
    let workMs = 0;
    const looks: number[] = [];
    const start = Date.now();
    let dueAt = Infinity;
    const now = (): number => Date.now() + workMs;
    const look = (): number => {
      looks.push(Date.now() - start);
      workMs += 25;
      return dueAt;
    };
    const clock = startClock(look, { now, steady: () => performance.now() + workMs, ...AT_ONCE });
    vi.advanceTimersByTime(1000);
    clock.touch();
    vi.advanceTimersByTime(1000);
    expect(looks).toEqual([250, 2000]);
    dueAt = now() + 3300;
    clock.touch();
    vi.advanceTimersByTime(3400);
    expect(looks).toEqual([250, 2000, 3000, 5275]);
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

describe("a clock after a sleep", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Whether each look was told of a sleep; the time of day and the steady time can be moved apart. */
  function sleeper() {
    const ahead = { day: 0, steady: 0 };
    const slept: boolean[] = [];
    const look = (hasSlept: boolean): number => {
      slept.push(hasSlept);
      return Date.now() + ahead.day + 1000;
    };
    const moved = { now: () => Date.now() + ahead.day, steady: () => performance.now() + ahead.steady };
    startClock(look, { ...moved, ...AT_ONCE });
    vi.advanceTimersByTime(1250);
    return { ahead, slept };
  }

  test.each([
    ["its timer was late, as when the process was stopped", { day: 5001, steady: 5001 }],
    ["the time of day jumped, as when the machine slept", { day: 5001, steady: 0 }],
  ])("says so when %s, once", (_what, by) => {
    const { ahead, slept } = sleeper();
    Object.assign(ahead, by);
    vi.advanceTimersByTime(2000);
    expect(slept).toEqual([false, false, true, false]);
  });

  test.each([
    ["what a busy machine is late by", { day: 5000, steady: 5000 }],
    ["a clock that is set a little", { day: 5000, steady: 0 }],
    ["a clock that is set back", { day: -3_600_000, steady: 0 }],
  ])("does not take %s for one", (_what, by) => {
    const { ahead, slept } = sleeper();
    Object.assign(ahead, by);
    vi.advanceTimersByTime(2000);
    expect(new Set(slept)).toEqual(new Set([false]));
  });
});

test("what arrived while the process was stopped is read before anything is looked at", async () => {
  const order: string[] = [];
  const path = join(temporaryFolder(onTestFinished), "s");
  const server = createServer((socket) => socket.on("data", (bytes) => void order.push(bytes.toString()))).listen(path);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const sender = connect(path);
  onTestFinished(() => void sender.destroy());
  await Promise.all([once(server, "connection"), once(sender, "connect")]);
  let looked: () => void;
  const look = new Promise<void>((resolve) => (looked = resolve));
  const clock = startClock(() => {
    order.push("look");
    looked();
    return Infinity;
  }, TIMES);
  onTestFinished(() => clock.stop());
  await new Promise((resolve) => setImmediate(resolve));
  // Within one turn of the loop: a sign of life arrives, and the time comes at which its sender would be stale.
  sender.write("alive");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  await look;
  expect(order).toEqual(["alive", "look"]);
});
