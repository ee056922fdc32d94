import { expect, test } from "vitest";
import { createRefresher } from "./refresher.ts";

/** A clock that stands until a test moves it. */
function createClock() {
  let nowMs = 0;
  let waiting: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => nowMs,
    after: (ms: number, run: () => void) => {
      const entry = { at: nowMs + ms, run };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((each) => each !== entry);
      };
    },
    skip: (ms: number) => (nowMs += ms),
    pass: async (ms: number) => {
      nowMs += ms;
      const due = waiting.filter(({ at }) => at <= nowMs);
      waiting = waiting.filter(({ at }) => at > nowMs);
      for (const { run } of due) run();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

function begin(tookMs = 0) {
  const clock = createClock();
  const calls: number[] = [];
  const refresh = async (): Promise<void> => {
    calls.push(clock.now());
    clock.skip(tookMs);
  };
  return { clock, calls, refresher: createRefresher({ refresh, ...clock }) };
}

test("many calls lead to one request, and calls after that to one more", async () => {
  const { clock, calls, refresher } = begin();
  for (let count = 0; count < 50; count += 1) refresher.wake();
  await clock.pass(0);
  refresher.wake();
  refresher.wake();
  await clock.pass(100);
  expect(calls).toEqual([0]);
  await clock.pass(300);
  expect(calls).toEqual([0, 400]);
});

test("a person's action does not wait", async () => {
  const { clock, calls, refresher } = begin();
  refresher.wake();
  await clock.pass(0);
  refresher.wake();
  refresher.now();
  await clock.pass(1);
  expect(calls).toEqual([0, 1]);
});

test("a slow daemon is asked less often", async () => {
  const { clock, calls, refresher } = begin(200);
  refresher.wake();
  await clock.pass(0);
  refresher.wake();
  await clock.pass(1900);
  expect(calls).toEqual([0]);
  await clock.pass(200);
  expect(calls).toHaveLength(2);
});

test("a page waits for seconds at most, however slow the daemon is", async () => {
  const { clock, calls, refresher } = begin(60_000);
  refresher.wake();
  await clock.pass(0);
  refresher.wake();
  await clock.pass(4900);
  expect(calls).toHaveLength(1);
  await clock.pass(200);
  expect(calls).toHaveLength(2);
});

test("nothing is asked after the end", async () => {
  const { clock, calls, refresher } = begin();
  refresher.wake();
  refresher.stop();
  refresher.now();
  await clock.pass(10_000);
  expect(calls).toEqual([]);
});
