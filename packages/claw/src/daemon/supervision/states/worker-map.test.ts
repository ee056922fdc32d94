import { newWorker } from "claw-contract";
import { expect, test } from "vitest";
import { createWorkerMap } from "./worker-map.ts";

test("a record that an older claw saved has everything that was added since", () => {
  const { unclear: _added, ...older } = newWorker("p_1", 7);
  const map = createWorkerMap();
  map.memory.load({ workers: [["p_1", older]], changes: [], aliases: [] });
  expect(map.get("p_1")).toEqual(newWorker("p_1", 7));
});

const AT = "2026-01-01T00:00:00.000Z";
const LOG_ENTRY = { kind: "LOG", severity: "info", message: "the tests passed" };

/** A map with one worker, after signals of its agent, and a way to tell it of log entries as the bus does. */
function mapAfter(...signals: readonly object[]) {
  const map = createWorkerMap();
  let sequence = 0;
  const apply = (topic: string, payload: object, tsServer = AT): void => {
    const from = topic.startsWith("system.") ? "server" : "p_1";
    map.memory.apply({ topic, from, payload, tsServer, sequence: (sequence += 1), live: true });
  };
  apply("system.peer.joined", { peerId: "p_1", role: "worker" });
  for (const signal of signals) apply("worker.p_1.signal", { source: "stream", ...signal });
  /** Whether the entry was taken in by its time alone. */
  const enter = (tsServer: string): boolean => {
    const event = { topic: "worker.p_1.event", from: "p_1", payload: JSON.stringify(LOG_ENTRY), tsServer };
    const { logEntries } = map.memory;
    const isTaken = typeof logEntries === "function" && logEntries({ ...event, sequence: sequence + 1 });
    if (isTaken) sequence += 1;
    else apply(event.topic, LOG_ENTRY, tsServer);
    return isTaken;
  };
  return { map, apply, enter };
}

test("only the first log entry after another event comes as a whole event; the record has the time of the last", () => {
  const { map, apply, enter } = mapAfter();
  const later = (seconds: number): string => `2026-01-01T00:00:0${seconds}.000Z`;
  expect([1, 2, 3].map((seconds) => enter(later(seconds)))).toEqual([false, true, true]);
  expect(map.get("p_1")).toMatchObject({ lastSeen: Date.parse(later(3)), lastProgress: Date.parse(later(3)) });
  expect(enter(later(4))).toBe(true);
  expect(map.all().map(({ lastProgress }) => lastProgress)).toEqual([Date.parse(later(4))]);
  apply("worker.p_1.heartbeat", { tokens_used: 1 }, later(5));
  expect([6, 7].map((seconds) => enter(later(seconds)))).toEqual([false, true]);
});

test("a worker in a usage limit gets every log entry as a whole event, since one may come after the limit's end", () => {
  const { map, enter } = mapAfter({ signal: "rate_limited", until: "2026-01-01T00:00:02.000Z" });
  const entered = ["2026-01-01T00:00:01.000Z", "2026-01-01T00:00:03.000Z"].map((at) => [
    enter(at),
    map.get("p_1")?.parked,
  ]);
  expect(entered).toMatchObject([
    [false, { until: Date.parse("2026-01-01T00:00:02.000Z") }],
    [false, null],
  ]);
});
