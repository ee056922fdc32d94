import { COMMAND_LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { CommittedEvent } from "../../../bus/index.ts";
import type { CommandMemory } from "./command-memory.ts";
import { createCommandMemory } from "./command-memory.ts";

type Fields = Readonly<Record<string, unknown>>;

const event = (topic: string, payload: Fields, sequence = 1, from = "server"): CommittedEvent =>
  ({ topic, payload, sequence, from, tsServer: "2026-01-01T00:00:00.000Z" }) as unknown as CommittedEvent;

const COMMAND = event("cmd.p_1.inject_text", { text: "hello", correlation_id: "r-1" }, 10, "p_0");
const PLACE = { sequence: 10, targetPeerId: "p_1" };

/** A memory of the workers p_1 and p_2 after some events. */
function remember(...events: readonly CommittedEvent[]): CommandMemory {
  const memory = createCommandMemory((peerId) => ["p_1", "p_2"].includes(peerId));
  for (const each of events) memory.memory.apply(each);
  return memory;
}

const step = (name: string, more: Fields = {}, from = "server"): CommittedEvent =>
  event(`system.command.${name}`, { ...PLACE, evidence: { kind: "sequence", value: 10 }, ...more }, 11, from);

const stepsOf = (memory: CommandMemory): unknown[] => memory.get(PLACE)?.ladder.rungs.map((rung) => rung.step) ?? [];

describe("a command that was given", () => {
  test("is known for workers alone, with what it says", () => {
    const memory = remember(
      COMMAND,
      event("cmd.p_9.abort", {}, 12, "p_0"),
      event("cmd.p_1.ack", { seq: 10 }, 13, "p_1"),
    );
    expect(memory.all()).toMatchObject([{ data: { text: "hello" }, correlationId: "r-1", begun: false }]);
    expect([memory.of("p_1").length, memory.of("p_2").length]).toEqual([1, 0]);
  });

  test("is known whole, under its place in the log where it has no id", () => {
    const [command] = remember(event("cmd.p_1.unit.stop", { text: "hello" }, 10, "p_0")).all();
    const ladder = { commandId: "seq:10", ...PLACE, cmdTopic: "cmd.p_1.unit.stop", action: "unit.stop", from: "p_0" };
    expect(command).toEqual({
      ladder: { ...ladder, rungs: [] },
      data: { text: "hello" },
      correlationId: null,
      begun: false,
    });
  });

  test("is not changed by a step that is none, or of a command that is not known", () => {
    const [accepted, twice] = [
      remember(COMMAND, step("accepted")),
      remember(COMMAND, step("accepted"), step("accepted")),
    ];
    expect(twice.all()).toEqual(accepted.all());
    const unknown = event("system.command.queued", { ...PLACE, sequence: 99 }, 12);
    expect(remember(COMMAND, step("accepted"), unknown).all()).toEqual(accepted.all());
  });

  test("goes as far as the server says, and is forgotten at its end", () => {
    const queued = remember(COMMAND, step("accepted"), step("queued"), step("injected", {}, "p_1"));
    expect(stepsOf(queued)).toEqual(["accepted", "queued"]);
    const ended = remember(COMMAND, step("accepted"), step("expired", { reason: "late" }));
    expect(ended.all()).toEqual([]);
  });

  test("keeps a step's time, deadline and reason, or the time of its event", () => {
    const told = { ts: "2026-01-01T00:01:00.000Z", deadline: "2026-01-01T00:02:00.000Z", route: "bus" };
    const rungs = remember(COMMAND, step("accepted", told), step("queued")).get(PLACE)?.ladder.rungs;
    const minute = (count: number): number => Date.parse(`2026-01-01T00:0${count}:00.000Z`);
    expect(rungs).toMatchObject([
      { at: minute(1), deadline: minute(2), route: "bus" },
      { at: minute(0), deadline: null, route: null },
    ]);
  });

  test("is accepted already when a note of that stands right before it, for each whom it names", () => {
    const note = (target: string, sequence: number): CommittedEvent =>
      event("system.command.accepted", { cmdTopic: "cmd.role.worker", targetPeerId: target }, sequence);
    const toRole = event("cmd.role.worker", { command: "abort", reason: "enough" }, 10, "p_0");
    const both = remember(note("p_1", 8), note("p_2", 9), toRole).all();
    expect(both).toMatchObject([
      { ladder: { targetPeerId: "p_1", action: "abort", rungs: [{ step: "accepted" }] }, data: { reason: "enough" } },
      { ladder: { targetPeerId: "p_2", action: "abort", rungs: [{ step: "accepted" }] } },
    ]);
    expect(both[0]?.data).not.toHaveProperty("command");
    expect(remember(note("p_1", 8), toRole).all()).toEqual([]);
    const [rung] = both[0]?.ladder.rungs ?? [];
    const at = Date.parse("2026-01-01T00:00:00.000Z");
    const deadline = at + COMMAND_LIMITS.commandAcceptedMs;
    expect(rung).toEqual({ step: "accepted", at, evidence: { kind: "sequence", value: 10 }, route: null, deadline });
    expect(remember(note("p_1", 9), event("cmd.p_2.abort", {}, 10, "p_0")).all()).toMatchObject([
      { ladder: { targetPeerId: "p_2", rungs: [] } },
    ]);
  });
});

describe("a note of an acceptance", () => {
  const note = (fields: Fields): CommittedEvent => event("system.command.accepted", fields, 9);
  const abort = event("cmd.p_1.abort", {}, 10, "p_0");

  test("says for whom the command is", () => {
    const memory = remember(note({ cmdTopic: "cmd.p_1.abort", targetPeerId: "p_2" }), abort);
    expect(memory.all()).toMatchObject([{ ladder: { targetPeerId: "p_2", rungs: [{ step: "accepted" }] } }]);
  });

  test.each([{ cmdTopic: "cmd.p_1.abort" }, { targetPeerId: "p_1" }, {}])(
    "is none without all it says: %j",
    (fields) => {
      expect(remember(note(fields), abort).all()).toMatchObject([{ ladder: { targetPeerId: "p_1", rungs: [] } }]);
    },
  );

  test("is kept until its command has come", () => {
    const noted = { cmdTopic: "cmd.p_1.abort", targetPeerId: "p_1" };
    const notes = (...events: readonly CommittedEvent[]): unknown =>
      (remember(...events).memory.save() as { readonly notes: unknown }).notes;
    expect(notes(note(noted))).toEqual([{ ...noted, sequence: 9 }]);
    expect(notes(note(noted), abort)).toEqual([]);
  });
});

describe("the typing of a command", () => {
  const held = event("system.command.held", { ...PLACE, reason: "a question is open" });
  const begun = event("system.typing.begun", PLACE);

  test("is begun when the server says so, and for that command", () => {
    expect(remember(COMMAND, begun).get(PLACE)).toMatchObject({ begun: true });
    const other = event("system.typing.begun", { ...PLACE, sequence: 11 });
    expect(remember(COMMAND, other).get(PLACE)).toMatchObject({ begun: false });
    expect(remember(COMMAND, event("system.typing.begun", PLACE, 11, "p_1")).get(PLACE)).toMatchObject({
      begun: false,
    });
  });

  test("is held for a reason until it comes further", () => {
    expect(remember(COMMAND, step("accepted"), held).get(PLACE)?.held).toBe("a question is open");
    expect(remember(COMMAND, step("accepted"), held, step("queued")).get(PLACE)?.held).toBeUndefined();
    expect(remember(COMMAND, held, begun).get(PLACE)?.held).toBeUndefined();
    expect(stepsOf(remember(COMMAND, step("accepted"), held))).toEqual(["accepted"]);
  });
});

describe("an agent", () => {
  const signal = (name: string, source = "hook"): CommittedEvent =>
    event("worker.p_1.signal", { signal: name, source }, 5, "p_1");

  test.each(["turn_started", "activity", "tool_started", "tool_ended", "resumed"])("is at work after %s", (name) => {
    expect(remember(signal(name)).isBusy("p_1")).toBe(true);
    expect(remember(signal(name)).isBusy("p_2")).toBe(false);
  });

  test.each(["turn_ended", "needs_input", "paused"])("is no longer after %s", (name) => {
    expect(remember(signal("turn_started"), signal(name)).isBusy("p_1")).toBe(false);
  });

  test("is not said to be at work, or to rest, by what its terminal puts out", () => {
    expect(remember(signal("activity", "terminal")).isBusy("p_1")).toBe(false);
    expect(remember(signal("turn_started"), signal("activity", "terminal")).isBusy("p_1")).toBe(true);
  });

  test("that is started anew is not at work", () => {
    const spawned = event("system.worker.spawned", { peerId: "p_1" });
    expect(remember(signal("turn_started"), spawned).isBusy("p_1")).toBe(false);
    const forged = event("system.worker.spawned", { peerId: "p_1" }, 6, "p_2");
    expect(remember(signal("turn_started"), forged).isBusy("p_1")).toBe(true);
  });
});

test("what is known is kept, and known again", () => {
  const memory = remember(
    event("worker.p_2.signal", { signal: "turn_started" }, 5, "p_2"),
    COMMAND,
    event("system.command.accepted", { cmdTopic: "cmd.p_2.abort", targetPeerId: "p_2" }, 11),
  );
  const again = createCommandMemory(() => true);
  again.memory.load(memory.memory.save());
  expect([again.all(), again.isBusy("p_2")]).toEqual([memory.all(), true]);
  again.memory.apply(event("cmd.p_2.abort", {}, 12, "p_0"));
  expect(again.of("p_2")).toMatchObject([{ ladder: { rungs: [{ step: "accepted" }] } }]);
});
