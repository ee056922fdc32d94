import { expect, test } from "vitest";
import type { PageClient } from "./link.ts";
import { createFlow, createFlowState } from "./store.ts";

const MOMENT = { cursor: "0001:5000", workers: [], ts: "2026-03-04T14:00:00.000Z" };

/** A client whose answers wait until they are given. */
function slowClient() {
  const asked: (() => void)[] = [];
  const feeds = { opened: 0, closed: 0 };
  const client = {
    request: () => new Promise((resolve) => asked.push(() => resolve({ moment: MOMENT, progress: null }))),
    subscribe: () => {
      feeds.opened += 1;
      const ended = Promise.resolve({ done: true, value: undefined });
      return { close: () => (feeds.closed += 1), [Symbol.asyncIterator]: () => ({ next: () => ended }) };
    },
  } as unknown as PageClient;
  const answer = async (): Promise<void> => {
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    asked.shift()?.();
  };
  return { client, feeds, answer };
}

function begin() {
  const slow = slowClient();
  const state = createFlowState();
  return { ...slow, state, flow: createFlow(state, () => slow.client) };
}

test("an answer that comes after the pause fills the moment, and begins no feed", async () => {
  const { flow, state, feeds, answer } = begin();
  flow.refresher.now();
  await answer();
  await expect.poll(() => feeds).toEqual({ opened: 1, closed: 0 });
  state.moment.value = null;
  flow.refresher.now();
  await expect.poll(() => state.moment.value).toBeNull();
  flow.pause();
  await answer();
  await expect.poll(() => state.moment.value).toEqual(MOMENT);
  expect(feeds).toEqual({ opened: 1, closed: 1 });
  flow.goOn();
  await answer();
  await expect.poll(() => feeds).toEqual({ opened: 2, closed: 1 });
  flow.refresher.stop();
});
