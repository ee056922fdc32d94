import type { WorkerView } from "claw-contract";
import { newWorker, workerViewOf } from "claw-contract";
import { expect, test } from "vitest";
import { groupWorkers } from "./group-workers.ts";

const worker = (id: string, more: Partial<WorkerView> = {}): WorkerView => ({
  ...workerViewOf(newWorker(id, 1000)),
  state: "working",
  ...more,
});

const shape = (workers: readonly WorkerView[], needed: readonly string[] = []) =>
  groupWorkers(workers, new Set(needed)).map((line) =>
    line.kind === "heading" ? `${line.group} ${line.count}` : `${"-".repeat(line.depth)}${line.worker.peer_id}`,
  );

test("workers stand by what they need of a person", () => {
  const workers = [
    worker("done", { state: "finished", ended: true }),
    worker("busy"),
    worker("asks", { state: "needs_input" }),
    worker("limited", { state: "rate_limited" }),
  ];
  expect(shape(workers, ["asks"])).toEqual([
    "needs 1",
    "asks",
    "working 1",
    "busy",
    "waiting 1",
    "limited",
    "ended 1",
    "done",
  ]);
});

test("children stand below their parent, and workers in a circle are not lost", () => {
  const workers = [
    worker("child", { parent_id: "lead" }),
    worker("lead"),
    worker("grandchild", { parent_id: "child" }),
    worker("orphan", { parent_id: "elsewhere" }),
    worker("a", { parent_id: "b" }),
    worker("b", { parent_id: "a" }),
  ];
  expect(shape(workers)).toEqual(["working 6", "lead", "-child", "--grandchild", "orphan", "a", "-b"]);
});

test("the newest of the ended come first", () => {
  const ended = (id: string, as_of: string) => worker(id, { state: "finished", ended: true, as_of });
  expect(shape([ended("old", "2026-01-01"), ended("new", "2026-01-02")])).toEqual(["ended 2", "new", "old"]);
});
