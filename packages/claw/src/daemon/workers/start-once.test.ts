import { expect, test } from "vitest";
import { spawnedEvent } from "../testing/spawned-event.ts";
import type { RegisteredWorker } from "../worker-registry/worker-registry.ts";
import type { SpawnedWorker } from "./launch-worker.ts";
import { createStartOnce, startKeyOf } from "./start-once.ts";

const KEY = startKeyOf("p_1", "a key of a caller").start_key ?? "";

const started: SpawnedWorker = {
  peerId: "p_2",
  name: "lexer",
  pid: 4711,
  bootId: "boot-1",
  attempt: 1,
  folder: "/home/ada/lexer/.claws/workers/p_2",
  worktree: null,
};

test("two requests with one key at the same time start one worker", async () => {
  const once = createStartOnce({ all: () => [] });
  const starts: number[] = [];
  const start = (): Promise<SpawnedWorker> => Promise.resolve(started).finally(() => starts.push(1));
  expect(await Promise.all([once.run(KEY, start), once.run(KEY, start)])).toEqual([started, started]);
  expect(starts).toEqual([1]);
  await Promise.all([once.run(undefined, start), once.run(undefined, start)]);
  expect(starts).toHaveLength(3);
});

test("a key in the log names its worker, and the key of another peer is another", async () => {
  const spawned = spawnedEvent("p_2", { start_key: KEY });
  const once = createStartOnce({ all: () => [{ spawned } as RegisteredWorker] });
  expect(await once.run(KEY, () => Promise.reject(new Error("started twice")))).toEqual(started);
  expect(startKeyOf("p_9", "a key of a caller").start_key).not.toBe(KEY);
  expect(startKeyOf("p_1", null)).toEqual({});
});

test("a start that failed may be tried again with its key", async () => {
  const once = createStartOnce({ all: () => [] });
  await expect(once.run(KEY, () => Promise.reject(new Error("no money")))).rejects.toThrow("no money");
  expect(await once.run(KEY, () => Promise.resolve(started))).toEqual(started);
});
