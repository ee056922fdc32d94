import type { BusItem, Observer, Subscription } from "claw-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ports } from "../runtime/handle.ts";
import { awaitEnding } from "./await-ending.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const ending: BusItem = {
  kind: "event",
  topic: "system.worker.completed",
  from: "p_1",
  sequence: 9,
  cursor: "0001:9",
  storedAtMs: 1_000_000,
  payload: { correlation_id: "c1" },
  envelope: null,
  data: { correlation_id: "c1" },
};

/** A bus that tells nothing of a worker but that a terminal lives, and then, after a minute, that the worker is done. */
function quietBus(aliveTopic: string): Observer {
  let closed = false;
  async function* items(): AsyncGenerator<BusItem, undefined, void> {
    yield { kind: "caught-up", cursor: "0001:8" };
    yield { kind: "notice", topic: aliveTopic, from: "server", sentAtMs: Date.now(), payload: { terminal_id: "7" } };
    await vi.advanceTimersByTimeAsync(60_000);
    if (!closed) yield ending;
    return undefined;
  }
  const subscription = {
    [Symbol.asyncIterator]: () => items(),
    close: () => void (closed = true),
    cursor: () => undefined,
  } as unknown as Subscription;
  return { subscribe: () => subscription } as unknown as Observer;
}

const PORTS = { env: {}, announce: () => undefined, signal: new AbortController().signal } as unknown as Ports;

const input = { wait: "c1", timeoutMs: 1000, keepAliveOn: "7", rearmCycle: 1000, staleThreshold: 120_000 };

test("a quiet terminal that is said to live keeps the wait going", async () => {
  const lines = awaitEnding(quietBus("system.terminal.7.alive"), input, PORTS);
  expect((await lines.next()).value).toEqual({ topic: ending.topic, payload: { correlation_id: "c1" } });
});

test("another terminal's life does not", async () => {
  const lines = awaitEnding(quietBus("system.terminal.8.alive"), input, PORTS);
  await expect(lines.next()).rejects.toMatchObject({ code: "TIMEOUT" });
});
