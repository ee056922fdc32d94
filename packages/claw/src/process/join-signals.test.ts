import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { joinSignals } from "./join-signals.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("a joined signal", () => {
  test.each([0, 1])("is aborted with the reason of whichever source is aborted: %i", (index) => {
    const sources = [new AbortController(), new AbortController()];
    const { signal } = joinSignals({ signals: sources.map((source) => source.signal), timeoutMs: 60_000 });
    expect(signal.aborted).toBe(false);
    sources[index]?.abort("enough");
    sources[1 - index]?.abort("too late");
    expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
  });

  test("is aborted at once when a source was", () => {
    const { signal } = joinSignals({ signals: [new AbortController().signal, AbortSignal.abort("before")] });
    expect(signal.reason).toBe("before");
  });

  test("leaves nothing with its sources, nor a clock, when it was aborted or released", () => {
    vi.useFakeTimers();
    const sources = [new AbortController(), new AbortController()];
    const signals = sources.map((source) => source.signal);
    const left = (): number[] => [vi.getTimerCount(), ...signals.map((one) => getEventListeners(one, "abort").length)];
    try {
      const joined = joinSignals({ signals, timeoutMs: 1000 });
      expect(left()).toEqual([1, 1, 1]);
      joined.release();
      joined.release();
      expect(left()).toEqual([0, 0, 0]);
      joinSignals({ signals, timeoutMs: 1000 });
      sources[0]?.abort();
      expect(left()).toEqual([0, 0, 0]);
      expect(joined.signal.aborted).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  test("may be one of many with the same source, without a warning", async () => {
    const warnings: string[] = [];
    const take = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", take);
    const { signal } = new AbortController();
    const many = Array.from({ length: 20 }, () => joinSignals({ signals: [signal] }));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", take);
    for (const { release } of many) release();
    expect(warnings).toEqual([]);
  });

  test("is aborted when its time is over, and not before", () => {
    vi.useFakeTimers();
    try {
      const { signal } = joinSignals({ timeoutMs: 1000 });
      vi.advanceTimersByTime(999);
      expect(signal.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      expect(signal.reason).toMatchObject({ name: "TimeoutError", message: "it took more than 1000 ms" });
    } finally {
      vi.useRealTimers();
    }
  });

  test("keeps its time limit when garbage is collected", async () => {
    const outer = new AbortController();
    let isOver = false;
    // Only the listener is kept, as a tool keeps it that waits for a process.
    (() => {
      const { signal } = joinSignals({ signals: [outer.signal], timeoutMs: 50 });
      signal.addEventListener("abort", () => (isOver = true), { once: true });
    })();
    await vi.waitFor(
      () => {
        collectGarbage();
        expect(isOver).toBe(true);
      },
      { timeout: 60_000, interval: 5 },
    );
    expect(outer.signal.aborted).toBe(false);
  });
});
