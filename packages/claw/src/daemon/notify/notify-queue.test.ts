import { join } from "node:path";
import { LIMITS, NOTICE_KINDS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryLog } from "../../bus/log/index.ts";
import { nodeFileSystem } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { Attempted, Deliver } from "./channels.ts";
import type { NoticeDelivery } from "./notice-body.ts";
import type { QueueSettings } from "./notify-queue.ts";
import { NotifyQueue } from "./notify-queue.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const OK: Attempted = { delivered: true, detail: "" };

function scene() {
  const log = createMemoryLog();
  const path = join(temporaryFolder(onTestFinished), "command.json");
  const clock = { now: START };
  const reports: string[] = [];
  const pauses: number[] = [];
  /** Sequences of events that count nowhere. */
  const ignored = new Set<number>();
  const store = (topic: string, payload: object, from = "server"): Promise<void> =>
    new Promise((resolve, reject) => {
      const event = { topic, from, tsServer: new Date(clock.now).toISOString(), payload: JSON.stringify(payload) };
      log.append(event, { committed: () => resolve(), failed: reject });
    });
  const open = () => {
    const controller = new AbortController();
    const queue = new NotifyQueue({
      log,
      fs: nodeFileSystem,
      path,
      nameOf: (peerId) => `name of ${peerId}`,
      isIgnored: (sequence) => ignored.has(sequence),
      now: () => clock.now,
      report: (problem) => void reports.push(problem),
      touch: () => undefined,
      signal: controller.signal,
      pause: (ms) => {
        pauses.push(ms);
        return Promise.resolve();
      },
    });
    return { queue, crash: () => controller.abort() };
  };
  const becomes = (peerId: string, state: string, previous = "working"): Promise<void> =>
    store("system.worker.state", { peerId, state, previous, reason: `is ${state}` });
  return { clock, reports, pauses, store, open, becomes, ignored };
}

/** Takes every notice, after as many refusals as given. */
function receiver(refusals = 0) {
  const taken: NoticeDelivery[] = [];
  const attempts: [id: string, attempt: number][] = [];
  let left = refusals;
  const deliver: Deliver = (delivery, attempt) => {
    attempts.push([delivery.id, attempt]);
    left -= 1;
    if (left >= 0) return Promise.resolve({ delivered: false, detail: "down" });
    taken.push(delivery);
    return Promise.resolve(OK);
  };
  const settings: QueueSettings = { deliver, on: new Set(NOTICE_KINDS), content: false };
  return { taken, attempts, settings };
}

async function wake(queue: NotifyQueue, settings: QueueSettings): Promise<void> {
  queue.wake(settings);
  await queue.whenIdle();
}

test("tells of workers that wait, fail or are done, in order, without content, and of nothing from before", async () => {
  const { store, open, becomes, clock } = scene();
  await becomes("p_0", "finished");
  const { queue } = open();
  const { taken, settings } = receiver();
  await store("system.approval.opened", { peerId: "p_1", message: "the key is hunter2" });
  await becomes("p_1", "needs_input");
  await store("worker.p_2.event", { kind: "LOG" }, "p_2");
  await becomes("p_2", "working", "starting");
  await becomes("p_2", "failed");
  await store("system.worker.verified", { peerId: "p_3", passed: false });
  await store("system.worker.state", { peerId: "p_4", state: "finished" }, "p_4");
  clock.now += LIMITS.notifyTogetherMs;
  await becomes("p_1", "blocked");
  await wake(queue, settings);
  const ts = new Date(START).toISOString();
  expect(taken).toEqual([
    { id: "0001:2", kind: "needs_you", peerId: "p_1", ts, content: null },
    { id: "0001:6", kind: "failed", peerId: "p_2", ts, content: null },
    { id: "0001:7", kind: "failed", peerId: "p_3", ts, content: null },
    { id: "0001:9", kind: "needs_you", peerId: "p_1", ts: new Date(clock.now).toISOString(), content: null },
  ]);
});

test("tells nothing of events that count nowhere", async () => {
  const { open, becomes, ignored } = scene();
  const { queue } = open();
  const { taken, settings } = receiver();
  ignored.add(1);
  await becomes("p_1", "failed");
  await becomes("p_2", "failed");
  await wake(queue, settings);
  expect(taken.map(({ peerId }) => peerId)).toEqual(["p_2"]);
});

test("names the worker and says what it says where the settings ask for content, and only kinds they ask for", async () => {
  const { open, becomes } = scene();
  const { queue } = open();
  const { taken, settings } = receiver();
  await becomes("p_1", "failed");
  await becomes("p_1", "finished");
  await wake(queue, { ...settings, on: new Set(["done"]), content: true });
  expect(taken.map(({ kind, content }) => [kind, content])).toEqual([
    ["done", { worker: "name of p_1", text: "is finished" }],
  ]);
});

test("tries again under the same id, with growing pauses, and then goes on", async () => {
  const { open, becomes, pauses, reports } = scene();
  const { queue } = open();
  const { attempts, settings } = receiver(11);
  await becomes("p_1", "finished");
  await becomes("p_2", "finished");
  await wake(queue, settings);
  expect(attempts.map(([id]) => id)).toEqual([...Array.from({ length: 12 }, () => "0001:1"), "0001:2"]);
  expect(attempts.slice(0, 3).map(([, attempt]) => attempt)).toEqual([1, 2, 3]);
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
  expect(reports[0]).toBe("notice 0001:1 was not delivered: down");
});

test("nothing is lost by a crash: what was not delivered comes from the next daemon, under the same id", async () => {
  const { open, becomes } = scene();
  const before = open();
  await becomes("p_1", "finished");
  await becomes("p_2", "finished");
  const ids: string[] = [];
  const dying: Deliver = ({ id }, _attempt, signal) => {
    ids.push(id);
    if (id === "0001:1") return Promise.resolve(OK);
    before.crash();
    return Promise.resolve({ delivered: !signal.aborted, detail: "was interrupted" });
  };
  await wake(before.queue, { ...receiver().settings, deliver: dying });
  const after = receiver();
  await wake(open().queue, after.settings);
  expect([ids, after.taken.map(({ id }) => id)]).toEqual([["0001:1", "0001:2"], ["0001:2"]]);
  const last = receiver();
  await wake(open().queue, last.settings);
  expect(last.taken).toEqual([]);
});

test("a notice that nobody takes for a day is given up, and what is older than a day is not told at all", async () => {
  const { open, becomes, clock, reports } = scene();
  const { queue } = open();
  await becomes("p_1", "finished");
  const deliver: Deliver = () => {
    clock.now += LIMITS.notifyKeptMs + 1;
    return Promise.resolve({ delivered: false, detail: "down" });
  };
  await becomes("p_2", "finished");
  await wake(queue, { ...receiver().settings, deliver });
  expect(reports).toEqual(["notice 0001:1 was not delivered, and is given up: down"]);
});

test("a delivery that hangs does not hold the caller", async () => {
  const { open, becomes } = scene();
  const { queue, crash } = open();
  await becomes("p_1", "finished");
  const hanging: Deliver = (_delivery, _attempt, signal) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ delivered: false, detail: "was interrupted" }));
    });
  const settings = { ...receiver().settings, deliver: hanging };
  expect([queue.wake(settings), queue.wake(settings)]).toEqual([Infinity, Infinity]);
  crash();
  await queue.whenIdle();
});
