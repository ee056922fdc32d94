import { describe, expect, test } from "vitest";
import { reduceWorker } from "./reduce-worker.ts";
import { START } from "./testing/worker-story.ts";
import { FIRST_LIFE } from "./worker-life.ts";
import type { WorkerRecord } from "./worker-record.ts";
import { newWorker } from "./worker-record.ts";

type Fields = Readonly<Record<string, unknown>>;

const known = newWorker("p_1", START - 1000);
const spawned: WorkerRecord = { ...known, isSpawned: true, life: { ...FIRST_LIFE, process: "alive", pid: 41 } };
const cause = (text: string, source = "self") => ({ text, source, at: START, sequence: 7 });

const take = (worker: WorkerRecord, topic: string, data: Fields = {}): WorkerRecord => {
  const from = topic.startsWith("worker.") ? "p_1" : "server";
  return reduceWorker(worker, { kind: "event", topic, from, data, sequence: 7, at: START });
};
const own = (worker: WorkerRecord, action: string, data: Fields = {}): WorkerRecord =>
  take(worker, `worker.p_1.${action}`, data);

describe("an end by the worker's own word", () => {
  test.each<[action: string, data: Fields, text: string, state: string]>([
    ["complete", { result: "ok" }, "it reported its result", "finished"],
    ["complete", { result: "cancelled", summary: "stopped" }, "stopped", "aborted"],
    ["complete", { result: "strange", summary: "no" }, "no", "failed"],
    ["event", { kind: "ERROR", severity: "fatal" }, "ERROR", "failed"],
    ["event", { kind: "ERROR", severity: "fatal", message: "boom" }, "boom", "failed"],
    ["phase", { phase: "FAILED" }, "it says that it failed", "failed"],
    ["phase", { phase: "FAILED", transition_reason: "lost" }, "lost", "failed"],
    ["heartbeat", { severity: "fatal", message: "a", error_detail: "b" }, "a", "failed"],
    ["heartbeat", { severity: "fatal", error_detail: "b" }, "b", "failed"],
    ["heartbeat", { severity: "fatal" }, "it says that it goes down", "failed"],
  ])("%s %o is shown as %s, %s", (action, data, text, state) => {
    const quiet = { ...known, isSilent: true, isHung: true, currentAction: "ls" };
    expect(own(quiet, action, data)).toMatchObject({
      ending: { ...cause(text), state },
      isSilent: false,
      isHung: false,
      currentAction: null,
    });
  });

  test("REFLECT is shown as no end: the report is still to come, and decides", () => {
    const reflecting = own(known, "phase", { phase: "REFLECT" });
    expect([reflecting.ending, reflecting.verdict.state]).toEqual([null, "working"]);
    const done = own(reflecting, "complete", { result: "failed", summary: "no" });
    expect(done.ending).toEqual({ ...cause("no"), state: "failed" });
  });

  test("a worker that leaves in REFLECT without a report is gone", () => {
    const left = take(own(known, "phase", { phase: "REFLECT" }), "system.peer.left", { reason: "clean" });
    expect(left.ending).toEqual({ ...cause("it left in REFLECT, without a result", "server"), state: "gone" });
    expect(own(left, "complete", { result: "ok", summary: "done" }).ending).toMatchObject({ state: "finished" });
  });
});

describe("an end that the server found", () => {
  test("the end of a process is an end; that of another process is none", () => {
    const text = "its process ended with 1 before its work was done";
    for (const data of [{ pid: 41, exit_code: 1 }, { exit_code: 1 }]) {
      const ended = take(spawned, "system.worker.terminated", data);
      expect(ended.ending).toEqual({ ...cause(text, "process"), state: "failed" });
      expect(ended.life.process).toBe("ended");
    }
    expect(take(spawned, "system.worker.terminated", { pid: 40, exit_code: 1 }).ending).toBeNull();
  });

  test("a connection that was left in order is an end, unless a process lives; a return takes it back", () => {
    const left = take(known, "system.peer.left", { reason: "clean" });
    expect(left.ending).toEqual({ ...cause("it left without a result", "server"), state: "gone" });
    expect(take(left, "system.peer.joined")).toMatchObject({ ending: null, life: FIRST_LIFE });
    expect(take(known, "system.peer.left", { reason: "crash" })).toMatchObject({ ending: null, leftAt: START });
    expect(take(spawned, "system.peer.left", { reason: "clean" })).toMatchObject({ ending: null, leftAt: START });
    const finished = own(known, "complete", { result: "ok", summary: "done" });
    expect(take(finished, "system.peer.joined").ending).toEqual(finished.ending);
  });

  test("a stranger goes with its terminal; one of ours has a process to ask", () => {
    const ending = { ...cause("its terminal was closed", "terminal"), state: "gone" };
    expect(take(known, "system.terminal.closed").ending).toEqual(ending);
    expect(take(spawned, "system.terminal.closed").ending).toBeNull();
  });

  test("a state that was told is an end when the clock said that the worker is gone", () => {
    const gone = { state: "gone", reason: "away", evidence: 3 };
    const tell = (data: Fields) => take(known, "system.worker.state", data).ending;
    expect(tell({ ...gone, source: "clock" })).toEqual({ ...cause("away", "clock"), sequence: 3, state: "gone" });
    expect([tell({ ...gone, source: "process" }), tell({ ...gone, state: "stale", source: "clock" })]).toEqual([
      null,
      null,
    ]);
  });
});

test("a stranger that boots again after its end lives anew", () => {
  const finished = own(own(known, "boot"), "complete", { result: "ok", summary: "done" });
  const again = own(finished, "boot", { model: "m" });
  expect(again).toMatchObject({ ending: null, phase: null, work: cause("it has booted") });
  expect(again.verdict.state).toBe("starting");
});
