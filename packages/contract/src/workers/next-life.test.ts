import { describe, expect, test } from "vitest";
import { endsLife, nextLife } from "./next-life.ts";
import type { WorkerLife } from "./worker-life.ts";
import { endBetween, FIRST_LIFE, hasLifeEnded, isLost, isOver } from "./worker-life.ts";

type Fields = Readonly<Record<string, unknown>>;
type Told = readonly [topic: string, data?: Fields];

const own = (action: string, data: Fields = {}): Told => [`worker.p_1.${action}`, data];
const phase = (name: string): Told => own("phase", { phase: name });
const BOOT = own("boot");
const IN_TERMINAL = own("boot", { terminal_id: "5" });
const COMPLETE = own("complete", { result: "ok" });
const FATAL = own("event", { severity: "fatal" });
const BEAT = own("heartbeat", { severity: "fatal" });
const SPAWNED: Told = ["system.worker.spawned", { bootId: "b1", pid: 41 }];
const AGAIN: Told = ["system.worker.spawned", { bootId: "b2", pid: 42 }];
const DIED: Told = ["system.worker.terminated", { bootId: "b1", pid: 41, expected: false }];
const STOPPED: Told = ["system.worker.terminated", { bootId: "b1", pid: 41, expected: true }];
const GIVEN_UP: Told = ["system.worker.alert", { action: "alert" }];
const RESTARTING: Told = ["system.worker.alert", { action: "restart" }];
const ABORT: Told = ["cmd.p_1.abort"];
const ABORT_ALL: Told = ["cmd.role.worker", { command: "abort" }];
const LEFT: Told = ["system.peer.left", { reason: "clean" }];
const BROKE: Told = ["system.peer.left", { reason: "crash" }];
const JOINED: Told = ["system.peer.joined"];
const GONE: Told = ["system.worker.state", { state: "gone", source: "clock" }];
const WORKS: Told = ["system.worker.state", { state: "working", source: "self" }];
const CLOSED: Told = ["system.terminal.closed"];

function live(...told: readonly Told[]): WorkerLife {
  return told.reduce<WorkerLife>((life, [topic, data = {}], index) => {
    const from = topic.startsWith("system.") ? "server" : "p_1";
    return nextLife(life, { topic, from, data, sequence: index + 1 });
  }, FIRST_LIFE);
}

const endOf = (...told: readonly Told[]) => {
  const { end } = live(...told);
  return end === null ? null : `${end.by}${end.isSettled ? "" : " (open)"}`;
};

test.each<[what: string, told: readonly Told[], end: string | null]>([
  ["a report", [BOOT, COMPLETE], "complete"],
  ["a fatal event", [BOOT, FATAL], "fatal"],
  ["a fatal heartbeat", [BOOT, BEAT], "fatal"],
  ["FAILED", [BOOT, phase("FAILED")], "failed"],
  ["REFLECT, whose report is to come", [BOOT, phase("REFLECT")], "reflect (open)"],
  ["REFLECT and the report", [BOOT, phase("REFLECT"), COMPLETE], "complete"],
  ["REFLECT and a fatal event", [BOOT, phase("REFLECT"), FATAL], "fatal"],
  ["REFLECT, and leaving without a report", [BOOT, phase("REFLECT"), LEFT], "reflect"],
  ["REFLECT, and a clock that waited for the report", [BOOT, phase("REFLECT"), GONE], "reflect"],
  ["no end: it was let out of REFLECT", [BOOT, phase("REFLECT"), phase("OBSERVE")], null],
  ["no end: it was let out of FAILED", [BOOT, phase("FAILED"), phase("RECOVER")], null],
  ["FAILED, whatever is no phase", [BOOT, phase("FAILED"), phase("nonsense")], "failed"],
  ["the first last word", [BOOT, FATAL, COMPLETE], "fatal"],
  ["the report after FAILED", [BOOT, phase("FAILED"), COMPLETE], "complete"],
  ["leaving after a single event, and may come back", [BOOT, LEFT], "left (open)"],
  ["a clock that saw no return to an open terminal", [IN_TERMINAL, BROKE, GONE], "left (open)"],
  ["a clock that saw no return, and a closed terminal", [IN_TERMINAL, BROKE, GONE, CLOSED], "left"],
  ["REFLECT in an open terminal, and a clock", [IN_TERMINAL, phase("REFLECT"), GONE], "reflect"],
  ["no end: a broken connection may come back", [BOOT, BROKE], null],
  ["a clock that saw no return", [BOOT, BROKE, GONE], "left"],
  ["no end: it came back", [BOOT, BROKE, GONE, JOINED], null],
  ["no end: it came back while it was said to be gone", [BOOT, BROKE, JOINED, GONE, WORKS], null],
  ["a closed terminal, but takes commands while it is connected", [BOOT, CLOSED], "terminal (open)"],
  ["a closed terminal, and leaving", [BOOT, CLOSED, BROKE], "terminal"],
  ["a closed terminal after its connection broke", [BOOT, BROKE, CLOSED], "terminal"],
])("a worker that the daemon did not start ends by %s", (_what, told, end) => {
  expect(endOf(...told)).toBe(end);
});

test.each<[what: string, told: readonly Told[], end: string | null]>([
  ["a report, whatever comes of its process", [SPAWNED, COMPLETE, DIED], "complete"],
  ["a report that the log holds after the end of its process", [SPAWNED, DIED, COMPLETE], "complete"],
  ["FAILED, while its report is to come", [SPAWNED, phase("FAILED")], "failed (open)"],
  ["FAILED for good with its process", [SPAWNED, phase("FAILED"), DIED], "failed"],
  ["a fatal heartbeat, while its report is to come", [SPAWNED, BEAT], "fatal (open)"],
  ["a crash, after which it may be started anew", [SPAWNED, DIED], "crash (open)"],
  ["a crash in REFLECT", [SPAWNED, phase("REFLECT"), DIED], "crash (open)"],
  ["a crash, with a restart planned", [SPAWNED, DIED, RESTARTING], "crash (open)"],
  ["a crash after which only a person helps", [SPAWNED, DIED, GIVEN_UP], "crash"],
  ["an abort before the end of its process", [SPAWNED, ABORT, DIED], "abort"],
  ["an abort after the end of its process", [SPAWNED, DIED, ABORT], "abort"],
  ["an abort of all workers", [SPAWNED, DIED, ABORT_ALL], "abort"],
  ["a stop by the daemon", [SPAWNED, STOPPED], "stopped"],
  ["no end: an alert about a worker that runs", [SPAWNED, GIVEN_UP], null],
  ["no end: its connection says nothing of its process", [SPAWNED, LEFT, GONE, CLOSED], null],
  ["no end: the process of an earlier life", [SPAWNED, AGAIN, DIED], null],
  ["no end: it was started anew", [SPAWNED, ABORT, DIED, GIVEN_UP, AGAIN], null],
  [
    "a crash in its next life that is no abort",
    [SPAWNED, ABORT, AGAIN, ["system.worker.terminated", {}]],
    "crash (open)",
  ],
])("a worker that the daemon started ends by %s", (_what, told, end) => {
  expect(endOf(...told)).toBe(end);
});

describe("what is asked of a life", () => {
  test("work that is over is not yet an end while a report or another start is to come", () => {
    const lives = [live(BOOT), live(BOOT, LEFT), live(phase("REFLECT")), live(SPAWNED, DIED), live(COMPLETE)];
    expect(lives.map(isOver)).toEqual([false, false, true, true, true]);
    expect(lives.map(hasLifeEnded)).toEqual([false, false, false, false, true]);
    expect(lives.map(isLost)).toEqual([false, false, false, true, false]);
  });

  test("another start, or another boot of a worker without a start, replaces a life", () => {
    expect(endBetween(live(SPAWNED), live(SPAWNED, AGAIN))).toMatchObject({ by: "replaced" });
    expect(endBetween(live(BOOT), live(BOOT, BOOT))).toMatchObject({ by: "replaced" });
    expect(endBetween(live(SPAWNED, COMPLETE), live(SPAWNED, COMPLETE, AGAIN))).toMatchObject({ by: "complete" });
    expect(endBetween(live(), live(COMPLETE))).toMatchObject({ by: "complete", result: "ok" });
    expect(endBetween(live(SPAWNED), live(SPAWNED, BOOT))).toBeNull();
    expect(live(SPAWNED, BOOT, BOOT).bootId).toBe("b1");
  });

  test("an event that ends a life can be told before it is stored", () => {
    for (const [topic, data = {}] of [COMPLETE, FATAL, BEAT, phase("REFLECT")]) {
      expect(endsLife(topic, data)).toBe(true);
    }
    for (const [topic, data = {}] of [BOOT, phase("PLAN"), own("event", { severity: "error" }), ABORT]) {
      expect(endsLife(topic, data)).toBe(false);
    }
    expect(endsLife("worker.p_1.complete.more", {})).toBe(false);
  });
});

test("an event that ends nothing leaves the same life, and nobody speaks for the server", () => {
  const life = live(SPAWNED, BOOT);
  const say = (topic: string, data: Fields, from = "p_1") => nextLife(life, { topic, from, data, sequence: 9 });
  expect(say("worker.p_1.event", { kind: "LOG" })).toBe(life);
  expect(say("worker.p_1.heartbeat", {})).toBe(life);
  expect(say("cmd.p_1.pause", {})).toBe(life);
  expect(say("system.worker.terminated", {})).toBe(life);
  expect(say("system.worker.kept", {}, "server")).toBe(life);
});
