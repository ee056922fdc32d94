import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import type { Sleep } from "./injection-pace.ts";
import { pauseFor, withinPace } from "./injection-pace.ts";

/** A clock that a test lets run out. */
function handClock(): { readonly pause: Sleep; readonly asked: number[]; readonly strike: () => void } {
  let strike = (): void => undefined;
  const asked: number[] = [];
  const pause: Sleep = (ms, signal) => {
    asked.push(ms);
    return new Promise((resolve, reject) => {
      strike = resolve;
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  };
  return { pause, asked, strike: () => strike() };
}

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

describe("something that may not take longer", () => {
  const { signal } = new AbortController();

  test("gives what it came to in time, and lets the clock go", async () => {
    const { pause, asked } = handClock();
    expect(await withinPace({ ms: 7, pause }, signal, () => Promise.resolve("done"))).toBe("done");
    expect(asked).toEqual([7]);
  });

  test("gives nothing when it is late, and is told to stop", async () => {
    const { pause, strike } = handClock();
    const late = withinPace({ ms: 7, pause }, signal, never);
    strike();
    expect(await late).toBeUndefined();
  });

  test("is over when its clock is, which is told to stop", async () => {
    let isOver = false;
    const pause: Sleep = (_ms, own) =>
      new Promise((_, reject) => {
        own.addEventListener("abort", () =>
          setImmediate(() => {
            isOver = true;
            reject(own.reason as Error);
          }),
        );
      });
    await withinPace({ ms: 7, pause }, signal, () => Promise.resolve());
    expect(isOver).toBe(true);
  });

  test("leaves nothing behind on the signal", async () => {
    const { pause } = handClock();
    const outer = new AbortController();
    await withinPace({ ms: 7, pause }, outer.signal, () => Promise.resolve());
    expect(getEventListeners(outer.signal, "abort")).toEqual([]);
  });

  test("fails as it fails, and not as if it was late", async () => {
    const { pause } = handClock();
    const failure = new Error("closed");
    await expect(withinPace({ ms: 7, pause }, signal, () => Promise.reject(failure))).rejects.toBe(failure);
  });

  test("ends with the reason of the signal", async () => {
    const { pause } = handClock();
    const outer = new AbortController();
    const ended = withinPace({ ms: 7, pause }, outer.signal, never);
    outer.abort("expired");
    await expect(ended).rejects.toBe("expired");
  });
});

test("a pause ends with the reason of its signal", async () => {
  const end = new AbortController();
  const paused = pauseFor(60_000, end.signal);
  end.abort("expired");
  await expect(paused).rejects.toBe("expired");
  await expect(pauseFor(1, new AbortController().signal)).resolves.toBeUndefined();
});
