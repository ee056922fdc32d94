import type { CommandLadder, CommandRoute } from "claw-contract";
import type { CommandStep } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import type { CommittedEvent } from "../../../bus/index.ts";
import type { EventLog } from "../../../bus/log/index.ts";
import { settle, startBus } from "../../../bus/testing/bus-harness.ts";
import type { StepWaits } from "./climber.ts";
import { createClimber, expiresAt } from "./climber.ts";
import type { OpenCommand } from "./command-memory.ts";
import { createCommandMemory } from "./command-memory.ts";

const WAITS: StepWaits = {
  plain: { accepted: 10, queued: 100, injected: 50 },
  urgent: { accepted: 10, queued: 20, injected: 50 },
  input: { accepted: 10, queued: 300, injected: 300 },
};

const ladderAt = (step: CommandStep, deadline: number | null, more: Partial<CommandLadder> = {}): CommandLadder => ({
  commandId: "c",
  targetPeerId: "p_1",
  cmdTopic: "cmd.p_1.x",
  action: "inject_text",
  from: "p_0",
  sequence: 1,
  rungs: [{ step, at: 0, evidence: null, route: "terminal" satisfies CommandRoute, deadline }],
  ...more,
});

describe("the time of a command", () => {
  test("that waits for its worker begins anew with the server, and is never cut by that", () => {
    expect(expiresAt(ladderAt("queued", 120), 1000, WAITS)).toBe(1100);
    expect(expiresAt(ladderAt("accepted", 20), 1000, WAITS)).toBe(1010);
    expect(expiresAt(ladderAt("queued", 5000), 1000, WAITS)).toBe(5000);
  });

  test("that its worker was given is not counted anew", () => {
    expect(expiresAt(ladderAt("injected", 120), 1000, WAITS)).toBe(120);
    expect(expiresAt(ladderAt("submitted", 120), 1000, WAITS)).toBe(120);
  });

  test("depends on what it does and which way it takes", () => {
    expect(expiresAt(ladderAt("queued", 120, { action: "abort" }), 1000, WAITS)).toBe(1020);
    const rungs = [{ step: "queued", at: 0, evidence: null, route: "input", deadline: 120 }] as const;
    expect(expiresAt(ladderAt("queued", 120, { rungs }), 1000, WAITS)).toBe(1300);
  });

  test("for which there is no time is over when the server begins to listen", () => {
    expect(expiresAt(ladderAt("queued", 120), 1000, { plain: {}, urgent: {}, input: {} })).toBe(1000);
  });

  test("without a deadline does not end", () => {
    expect(expiresAt(ladderAt("acked", null), 1000, WAITS)).toBe(Infinity);
  });
});

interface Held {
  readonly commit: () => void;
  readonly fail: (error: Error) => void;
}

/** A climber, a command to p_1 that is at its beginning, and a log that writes a step when the test says so. */
async function openClimber() {
  const held: Held[] = [];
  const alterLog = (log: EventLog): EventLog => ({
    ...log,
    append: (event, outcome) => {
      if (!event.topic.startsWith("system.command.")) return log.append(event, outcome);
      return void held.push({ commit: () => log.append(event, outcome), fail: (error) => outcome.failed(error) });
    },
  });
  const memory = createCommandMemory(() => true);
  const harness = await startBus({
    alterLog,
    extend: () => [{ name: "commands", memory: memory.memory }],
  });
  const given = { topic: "cmd.p_1.inject_text", from: "p_0", payload: {}, sequence: 7, tsServer: "2026-01-01" };
  memory.memory.apply(given as unknown as CommittedEvent);
  const climber = createClimber(harness.bus.host, memory, WAITS);
  const command = memory.all()[0] as OpenCommand;
  const steps = (): string[] | undefined => climber.ladderOf(command)?.rungs.map(({ step }) => step);
  const known = (): string[] | undefined => memory.get(command.ladder)?.ladder.rungs.map(({ step }) => step);
  const evidence = { kind: "sequence", value: 7 } as const;
  const take = (step: CommandStep, more: { route?: CommandRoute; reason?: string } = {}): Promise<boolean> =>
    climber.take(command, { step, evidence, ...more });
  /** Lets the log answer the oldest step that waits for it. */
  const write = async (failure?: Error): Promise<void> => {
    const next = held.shift();
    if (failure === undefined) next?.commit();
    else next?.fail(failure);
    await settle();
  };
  return { harness, memory, take, write, steps, known, command, climber };
}

describe("taking a step", () => {
  test("counts at once, and resolves when it is in the log", async () => {
    const { take, write, steps, known } = await openClimber();
    const order: string[] = [];
    const taken = take("accepted").then((isTaken) => order.push(`taken: ${isTaken}`));
    expect([steps(), known()]).toEqual([["accepted"], []]);
    await settle();
    order.push("written");
    await write();
    await taken;
    expect([order, steps(), known()]).toEqual([["written", "taken: true"], ["accepted"], ["accepted"]]);
  });

  test("is refused when it was taken already, on its way or in the log, and leaves no trace", async () => {
    const { take, write, steps } = await openClimber();
    const first = take("accepted");
    expect(await take("accepted")).toBe(false);
    await write();
    expect([await first, await take("accepted"), steps()]).toEqual([true, false, ["accepted"]]);
  });

  test("goes on from one that is still on its way, however many there are", async () => {
    const { take, write, steps, known } = await openClimber();
    const taken = [take("accepted"), take("queued", { route: "terminal" }), take("injected")];
    expect(await take("queued")).toBe(false);
    await write();
    expect([steps(), known()]).toEqual([["accepted", "queued", "injected"], ["accepted"]]);
    await write();
    expect([steps(), known()]).toEqual([
      ["accepted", "queued", "injected"],
      ["accepted", "queued"],
    ]);
    await write();
    expect([await Promise.all(taken), known()]).toEqual([
      [true, true, true],
      ["accepted", "queued", "injected"],
    ]);
  });

  test("that the log did not take is reported, and can be taken again", async () => {
    const { harness, take, write, steps, command } = await openClimber();
    const failed = take("accepted");
    await write(new Error("no space"));
    expect([await failed, steps()]).toEqual([false, []]);
    expect(harness.reports.splice(0)).toEqual([`command ${command.ladder.commandId}: accepted: no space`]);
    const again = take("accepted");
    await write();
    expect(await again).toBe(true);
  });

  test("is none any more when the command is at its end", async () => {
    const { take, write, steps, climber, command } = await openClimber();
    const ended = [take("accepted"), take("refused", { reason: "no" })];
    await write();
    await write();
    expect([await Promise.all(ended), steps(), climber.ladderOf(command)]).toEqual([
      [true, true],
      undefined,
      undefined,
    ]);
    expect(await take("queued")).toBe(false);
  });

  test("is told with its evidence, its deadline by the way it takes, and its reason where it has one", async () => {
    const { harness, take, write } = await openClimber();
    const taken = [take("accepted"), take("queued", { route: "input" }), take("expired", { reason: "late" })];
    for (let count = 0; count < taken.length; count += 1) await write();
    await Promise.all(taken);
    const { events } = await harness.log.read(0);
    const told = events.map(({ topic, payload }) => [topic, JSON.parse(payload ?? "") as unknown]);
    const about = {
      commandId: "seq:7",
      targetPeerId: "p_1",
      cmdTopic: "cmd.p_1.inject_text",
      from: "p_0",
      sequence: 7,
    };
    const step = { ...about, evidence: { kind: "sequence", value: 7 }, ts: "2026-01-01T00:00:00.000Z" };
    expect(told).toEqual([
      ["system.command.accepted", { ...step, route: null, deadline: "2026-01-01T00:00:00.010Z" }],
      ["system.command.queued", { ...step, route: "input", deadline: "2026-01-01T00:00:00.300Z" }],
      ["system.command.expired", { ...step, route: "input", deadline: null, reason: "late" }],
    ]);
  });
});
