import { hasLifeEnded } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { CommittedEvent } from "../../bus/index.ts";
import { spawnedEvent } from "../testing/spawned-event.ts";
import type { WorkerRegistry } from "./worker-registry.ts";
import { createWorkerRegistry } from "./worker-registry.ts";

const P = "p_0000aa";

type Said = readonly [topic: string, payload?: object];

const DIED: Said = ["system.worker.terminated", { peerId: P, expected: false }];
const GIVEN_UP: Said = ["system.worker.alert", { peerId: P, action: "alert", trouble: "crash_loop" }];
const AGAIN: Said = ["system.worker.alert", { peerId: P, action: "restart", trouble: "crash" }];
const ABORT: Said = [`cmd.${P}.abort`, { reason: "enough" }];
const LIFE: Said = ["system.worker.spawned", spawnedEvent(P, { attempt: 2, bootId: "boot-2" })];

/** A registry with one worker, after all this happened. */
function after(...said: readonly Said[]): WorkerRegistry {
  const registry = createWorkerRegistry();
  const all: readonly Said[] = [["system.worker.spawned", spawnedEvent(P)], ...said];
  for (const [index, [topic, payload = {}]] of all.entries()) {
    const from = topic.startsWith("system.") ? "server" : "p_000001";
    const event = { topic, from, payload, sequence: index + 1, tsServer: "2026-01-01T00:00:00.000Z" };
    registry.memory.apply(event as unknown as CommittedEvent);
  }
  return registry;
}

describe("a worker whose process ended before it reported", () => {
  test.each<[string, readonly Said[], boolean]>([
    ["waits to be started anew", [DIED, AGAIN], false],
    ["has ended when only a person can start it", [DIED, GIVEN_UP], true],
    ["has ended when it was told to stop before", [ABORT, DIED], true],
    ["has ended when it is told to stop afterwards", [DIED, AGAIN, ABORT], true],
    ["has ended when everybody is told to stop", [DIED, ["cmd.role.worker", { command: "abort" }]], true],
    ["goes on when everybody is told something else", [DIED, ["cmd.role.worker", { command: "pause" }]], false],
    ["lives again in its next life", [DIED, GIVEN_UP, LIFE], false],
    ["is not ended in its next life by an alert that calls for a person", [DIED, GIVEN_UP, LIFE, GIVEN_UP], false],
    ["is not ended in its next life by what stopped the one before", [ABORT, DIED, LIFE, DIED, AGAIN], false],
  ])("%s", (_what, said, ended) => {
    expect(hasLifeEnded(after(...said).lifeOf(P))).toBe(ended);
  });

  test("is known by its name until it is removed", () => {
    expect(after(DIED, GIVEN_UP).find("lexer")?.peerId).toBe(P);
    expect(after(DIED, GIVEN_UP, ["system.worker.removed", { peerId: P }]).all()).toEqual([]);
  });
});

test("an alert about a worker that runs does not end it", () => {
  expect(hasLifeEnded(after(GIVEN_UP).lifeOf(P))).toBe(false);
});

test("what became of a worktree is known until the worker's next life", () => {
  const kept: Said = ["system.worker.kept", { peerId: P, torn_down: true }];
  const cleared: Said = ["system.worker.cleared", { peerId: P }];
  expect(after(DIED, GIVEN_UP, kept).get(P)).toMatchObject({ worktree: "kept", tornDown: true });
  expect(after(DIED, GIVEN_UP, kept, cleared).get(P)).toMatchObject({ worktree: "cleared" });
  expect(after(DIED, GIVEN_UP, kept, LIFE).get(P)).toMatchObject({ worktree: null, tornDown: false });
});

test("a snapshot brings back the lives, and the processes to watch", () => {
  const known = after(ABORT);
  const again = createWorkerRegistry();
  again.memory.load(JSON.parse(JSON.stringify(known.memory.save())));
  expect(again.all()).toEqual(known.all());
  expect(again.processes()).toEqual([
    { peerId: P, bootId: "boot-1", pid: 4711, folder: spawnedEvent(P).folder, hasReported: false },
  ]);
  expect(after(DIED).processes()).toEqual([]);
});

test("the lives that an event changed are known until the next event", () => {
  const registry = after(DIED);
  const [change] = registry.changesBy({ sequence: 2 });
  expect([change?.peerId, change?.before.end, change?.after.end?.by]).toEqual([P, null, "crash"]);
  expect([registry.changesBy({ sequence: 1 }), registry.changesBy({ sequence: 3 })]).toEqual([[], []]);
});
