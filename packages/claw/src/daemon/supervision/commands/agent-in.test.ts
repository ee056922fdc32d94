import { FIRST_LIFE } from "claw-contract";
import { expect, test } from "vitest";
import type { BusHost } from "../../../bus/index.ts";
import type { RegisteredWorker, WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { spawnedEvent } from "../../testing/spawned-event.ts";
import { agentIn, ownerOf } from "./agent-in.ts";

const worker = (peerId: string, more: Partial<RegisteredWorker>): RegisteredWorker => ({
  peerId,
  name: peerId,
  spawned: null,
  since: "",
  terminalId: null,
  parentId: null,
  capabilities: [],
  life: FIRST_LIFE,
  ...more,
});

/** A place whose terminal 7 was opened for p_3. */
function placeOf(...workers: readonly RegisteredWorker[]) {
  const find = (id: string) => (id === "7" ? { workerId: "p_3" } : undefined);
  const host = { terminals: { find } } as unknown as BusHost;
  return { host, registry: { all: () => workers } as unknown as WorkerRegistry };
}

const INTERACTIVE = spawnedEvent("p_1", { harness: "codex", mode: "interactive" });

test("a terminal belongs to the worker that was started with an agent in it, and to nobody else", () => {
  const started = worker("p_1", { spawned: INTERACTIVE, terminalId: "5" });
  const place = placeOf(started, worker("p_2", { terminalId: "5" }), worker("p_4", { terminalId: "6" }));
  expect([ownerOf(place, "5"), agentIn(place, "5")]).toEqual([started, "codex"]);
  expect([agentIn(place, "6"), agentIn(place, "8")]).toEqual([null, null]);
});

test("a terminal that was opened for a worker is its own before the worker says so", () => {
  const booting = worker("p_3", { spawned: INTERACTIVE });
  expect(ownerOf(placeOf(booting), "7")).toBe(booting);
});

test("a worker without a terminal of its own has no agent there", () => {
  const headless = worker("p_1", { spawned: spawnedEvent("p_1", { mode: "headless" }), terminalId: "5" });
  expect(agentIn(placeOf(headless), "5")).toBeNull();
});
