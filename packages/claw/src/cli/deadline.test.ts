import { ClawError } from "claw-contract";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Deadline } from "./deadline.ts";
import { createDeadline, withinDeadline } from "./deadline.ts";
import { createLateSignal } from "./late-signal.ts";

function open(seconds: number): Deadline {
  const deadline = createDeadline(seconds, "status");
  onTestFinished(deadline.close);
  return deadline;
}

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(signal.reason));
  });

describe("a deadline", () => {
  test("ends the call when its time is over", async () => {
    expect(await aborted(open(0.005).signal)).toMatchObject({
      code: "TIMEOUT",
      message: "no answer within 0.005 s",
      operation: "run",
      target: "status",
      options: { details: { timeout_ms: 5 } },
    });
  });

  test("of no time ends the call before it begins", () => {
    const { signal } = open(0);
    expect([signal.aborted, signal.reason]).toEqual([true, expect.objectContaining({ code: "TIMEOUT" })]);
  });

  test("may lie further away than a timer can count", () => {
    expect(open(1e12).signal.aborted).toBe(false);
  });

  test("lets a second SIGINT or SIGTERM end the process, but not a terminal that hangs up twice", () => {
    const listening = () => (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => process.listenerCount(name));
    const before = listening();
    open(60);
    for (const listener of process.listeners("SIGHUP").slice(before[2])) listener("SIGHUP");
    expect(listening()).toEqual([before[0], before[1], (before[2] ?? 0) + 1]);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends the call on %s, and no longer listens once closed",
    (name) => {
      const before = process.listeners(name);
      const deadline = open(60);
      const added = process.listeners(name).filter((listener) => !before.includes(listener));
      for (const listener of added) listener(name);
      expect([added.length, deadline.signal.reason]).toEqual([
        1,
        expect.objectContaining({
          code: "CANCELLED",
          message: `cancelled by ${name}`,
          options: expect.objectContaining({ details: { signal: name } }),
        }),
      ]);
      deadline.close();
      deadline.close();
      expect(process.listeners(name)).toEqual(before);
    },
  );

  test("that is closed ends nothing", async () => {
    const deadline = createDeadline(0.001, "status");
    deadline.close();
    await aborted(open(0.01).signal);
    expect(deadline.signal.aborted).toBe(false);
  });
});

describe("work under a deadline", () => {
  const reason = new ClawError("TIMEOUT", "late", { operation: "run", target: "x" });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("gives its value or its error", async () => {
    const deadline = createLateSignal();
    expect(await withinDeadline(deadline, async () => 7)).toBe(7);
    const error = new Error("broken");
    await expect(withinDeadline(deadline, () => Promise.reject(error))).rejects.toBe(error);
  });

  test("is not begun when it is too late", async () => {
    let begun = false;
    const work = async (): Promise<void> => {
      begun = true;
    };
    const deadline = createLateSignal();
    deadline.abort(reason);
    await expect(withinDeadline(deadline, work)).rejects.toBe(reason);
    expect(begun).toBe(false);
  });

  test("that ends in the time of grace is believed", async () => {
    const deadline = createLateSignal();
    const work = withinDeadline(deadline, async () => {
      await aborted(deadline.signal);
      return "in order";
    });
    deadline.abort(reason);
    expect(await work).toBe("in order");
  });

  test("that does not end is left behind after the time of grace", async () => {
    vi.useFakeTimers();
    const deadline = createLateSignal();
    const work = withinDeadline(deadline, () => new Promise(() => {}));
    const ending = work.catch((error: unknown) => error);
    deadline.abort(reason);
    await vi.advanceTimersByTimeAsync(1000);
    expect([await ending, vi.getTimerCount()]).toEqual([reason, 0]);
  });
});
