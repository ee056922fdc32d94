import { COMMAND_LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { BusHarness, Frame, Joined } from "../../../bus/testing/bus-harness.ts";
import { request, settle } from "../../../bus/testing/bus-harness.ts";
import { spawnedEvent } from "../../testing/spawned-event.ts";
import { boss, bootWorker, command, say, startCommandBus, stepsOf, watchSteps } from "./testing/command-scene.ts";

interface Scene {
  readonly harness: BusHarness;
  readonly main: Joined;
  readonly worker: Joined;
  /** The steps of the commands with an action, each with its reason where it has one. */
  readonly of: (action: string) => readonly unknown[];
  readonly steps: () => readonly Frame[];
  /** Says something of the worker, as the server. Resolves with its place in the log. */
  readonly tell: (topic: string, fields: Frame) => Promise<number>;
}

async function openScene(more: Frame = {}, capabilities: readonly string[] = []): Promise<Scene> {
  // Nothing that is typed comes to its end by itself.
  const pause = (): Promise<never> => new Promise(() => undefined);
  const harness = await startCommandBus({}, { pause });
  const steps = await watchSteps(harness);
  const main = await boss(harness);
  const worker = await bootWorker(harness, capabilities, more);
  const of = (action: string): unknown[] =>
    steps()
      .filter(({ cmdTopic }) => String(cmdTopic).endsWith(`.${action}`))
      .map(({ step, reason }) => (reason === undefined ? step : [step, reason]));
  const tell = async (topic: string, fields: Frame): Promise<number> => {
    const event = { topic, payload: { peerId: worker.id, ts: "2026-01-01T00:00:00.000Z", ...fields } };
    await new Promise<void>((resolve, reject) => {
      harness.bus.host.publish([event], (failure) => (failure === undefined ? resolve() : reject(failure)));
    });
    await settle();
    const { events } = await harness.log.read(0);
    return events.findLast((stored) => stored.topic === topic)?.sequence ?? -1;
  };
  return { harness, main, worker, of, steps, tell };
}

/** Commands that are done when the worker stops, and that are not. */
async function giveBoth({ main, worker }: Scene): Promise<void> {
  await command(main, worker.id, "resume");
  await command(main, worker.id, "abort", { reason: "enough" });
  await settle();
}

/** Says of a command, as its worker, that the agent has it. */
const report = (worker: Joined, step: string, commandId: unknown): Promise<Frame> =>
  say(worker, "command", {
    command_id: commandId,
    step,
    route: "input",
    evidence: { kind: "process", value: 7 },
  });

const spawn = (scene: Scene, attempt: number): Promise<number> =>
  scene.tell("system.worker.spawned", { ...spawnedEvent(scene.worker.id, { attempt, bootId: `boot-${attempt}` }) });

const ENDED = [
  ["accepted", "queued", "applied"],
  ["accepted", "queued", ["expired", "the worker ended"]],
];
const WAITING = [
  ["accepted", "queued"],
  ["accepted", "queued"],
];

describe("when the process of a worker", () => {
  test("has ended for good, its commands have too, and an abort has come true", async () => {
    const scene = await openScene();
    await giveBoth(scene);
    const sequence = await scene.tell("system.worker.terminated", { expected: true });
    expect([scene.of("abort"), scene.of("resume")]).toEqual(ENDED);
    expect(scene.steps().slice(-2)).toMatchObject([
      { evidence: { kind: "sequence", value: sequence } },
      { evidence: { kind: "sequence", value: sequence } },
    ]);
  });

  test("crashed, its commands wait for the next, until nobody starts it anew", async () => {
    const scene = await openScene();
    await command(scene.main, scene.worker.id, "resume");
    await scene.tell("system.worker.terminated", { expected: false });
    expect(scene.of("resume")).toEqual(["accepted", "queued"]);
    const alert = { severity: "error", message: "it crashed", trouble: "crash" };
    await scene.tell("system.worker.alert", { ...alert, action: "restart" });
    expect(scene.of("resume")).toEqual(["accepted", "queued"]);
    await scene.tell("system.worker.alert", { ...alert, action: "alert" });
    expect(scene.of("resume")).toEqual(["accepted", "queued", ["expired", "the worker ended"]]);
  });

  test("crashed, an abort is done at once, and nothing else waits any more", async () => {
    const scene = await openScene();
    await command(scene.main, scene.worker.id, "resume");
    await scene.tell("system.worker.terminated", { expected: false });
    await command(scene.main, scene.worker.id, "abort", { reason: "enough" });
    await settle();
    expect([scene.of("abort"), scene.of("resume")]).toEqual([["accepted", "applied"], ENDED[1]]);
  });

  test("is another one, what the old one was given is lost, and what waits is not", async () => {
    const scene = await openScene({}, ["commands"]);
    await giveBoth(scene);
    const { commandId } = scene.steps()[0] ?? {};
    await report(scene.worker, "submitted", commandId);
    await spawn(scene, 1);
    expect(scene.of("resume")).toEqual(["accepted", "queued", "submitted"]);
    const sequence = await spawn(scene, 2);
    expect(scene.of("resume")).toEqual(["accepted", "queued", "submitted", ["expired", "the worker was started anew"]]);
    expect(scene.steps().at(-1)).toMatchObject({ evidence: { kind: "sequence", value: sequence } });
    expect(scene.of("abort")).toEqual(["accepted", "queued"]);
  });

  test("is told of for another worker, nothing becomes of the commands", async () => {
    const scene = await openScene();
    await giveBoth(scene);
    const other = await bootWorker(scene.harness);
    await scene.tell("system.worker.terminated", { peerId: other.id, expected: true });
    await scene.tell("system.worker.terminated", { peerId: "p_00ffff", expected: true });
    expect([scene.of("abort"), scene.of("resume")]).toEqual(WAITING);
  });
});

describe("the way of a command", () => {
  const routeOf = async (action: string, more: Frame, capabilities: readonly string[] = []): Promise<unknown> => {
    const { main, worker, steps } = await openScene(more, capabilities);
    await command(main, worker.id, action, { text: "hello", reason: "go" });
    return steps().find(({ step }) => step === "queued")?.["route"];
  };

  test.each([
    ["inject_text", {}, [], "bus"],
    ["inject_text", { terminalId: "5" }, [], "terminal"],
    ["abort", { terminalId: "5" }, [], "terminal"],
    ["inject_text", { terminalId: "5" }, ["commands"], "terminal"],
    ["abort", { terminalId: "5" }, ["commands"], "bus"],
    ["inject_text", {}, ["commands"], "bus"],
  ])("%s to a worker of %j that can %j is the %s", async (action, more, capabilities, route) => {
    expect(await routeOf(action, more, capabilities)).toBe(route);
  });

  test("is the bus when the worker's terminal is closed", async () => {
    const { harness, main, worker, steps } = await openScene({ terminalId: "5" });
    await harness.terminals.close("5", "user");
    await settle();
    await command(main, worker.id, "resume");
    expect(steps().find(({ step }) => step === "queued")).toMatchObject({ route: "bus" });
  });
});

test("naming a worker tells whether it is at work and how many commands it has not taken", async () => {
  const scene = await openScene({}, ["commands"]);
  const { main, worker } = scene;
  const find = (): Promise<Frame> => request(main.client, { cmd: "worker.find", target: worker.id });
  expect(await find()).toMatchObject({ busy: false, ahead: 0 });
  await giveBoth(scene);
  await say(worker, "signal", { signal: "turn_started", source: "hook" });
  expect(await find()).toMatchObject({ busy: true, ahead: 2 });
  const { commandId } = scene.steps()[0] ?? {};
  await report(worker, "submitted", commandId);
  expect(await find()).toMatchObject({ busy: true, ahead: 1 });
});

test("a worker that is about to be started anew counts as at work, since a command waits for its next life", async () => {
  const scene = await openScene();
  const find = (): Promise<Frame> => request(scene.main.client, { cmd: "worker.find", target: scene.worker.id });
  await scene.tell("system.worker.terminated", { expected: false });
  expect(await find()).toMatchObject({ busy: true, ended: false });
  await scene.tell("system.worker.alert", { severity: "error", message: "x", trouble: "crash", action: "alert" });
  expect(await find()).toMatchObject({ busy: false, ended: true });
});

describe("a command that stands too long on a step", () => {
  test.each([
    ["submitted", COMMAND_LIMITS.commandQueuedMs, "the worker did not answer it in time"],
    ["acked", COMMAND_LIMITS.commandAckedMs, "the worker did not say in time that it was done"],
    ["injected", COMMAND_LIMITS.commandQueuedMs, "nothing shows that the worker's program took it"],
  ])("says so by its step: %s", async (step, ms, reason) => {
    const { harness, main, worker, steps, of } = await openScene({}, ["commands"]);
    await command(main, worker.id, "resume");
    const { commandId } = steps()[0] ?? {};
    await report(worker, step, commandId);
    expect(of("resume")).toEqual(["accepted", "queued", step]);
    const due = harness.clock.now + ms;
    expect(harness.bus.checkDue()).toBe(due);
    harness.clock.now = due - 1;
    expect(harness.bus.checkDue()).toBe(due);
    await settle();
    expect(of("resume")).toEqual(["accepted", "queued", step]);
    harness.clock.now = due;
    expect(harness.bus.checkDue()).toBe(Infinity);
    await settle();
    expect(of("resume")).toEqual(["accepted", "queued", step, ["expired", reason]]);
  });

  test("expires by itself, and the next that is due is told", async () => {
    const { harness, main, worker, of } = await openScene();
    await command(main, worker.id, "resume");
    await command(main, worker.id, "pause");
    const start = harness.clock.now;
    expect(harness.bus.checkDue()).toBe(start + COMMAND_LIMITS.urgentQueuedMs);
    harness.clock.now += COMMAND_LIMITS.urgentQueuedMs;
    expect(harness.bus.checkDue()).toBe(start + COMMAND_LIMITS.commandQueuedMs);
    await settle();
    const late = "the worker did not take it in time";
    expect([of("pause"), of("resume")]).toEqual([
      ["accepted", "queued", ["expired", late]],
      ["accepted", "queued"],
    ]);
  });
});

test("after a restart a command whose typing was begun is given up, and one that was typed is not", async () => {
  const scene = await openScene({ terminalId: "5" });
  const { main, worker, tell, harness, steps } = scene;
  const { sequence } = await command(main, worker.id, "inject_text", { text: "hello" });
  await command(main, worker.id, "inject_text", { text: "there" });
  await settle();
  const about = { targetPeerId: worker.id, commandId: "c", terminalId: "5", offset: 1 };
  await tell("system.typing.begun", { ...about, sequence });
  expect(stepsOf(steps())).toEqual(["accepted", "queued", "accepted", "queued"]);
  const again = await watchSteps(await harness.restart());
  await settle();
  expect(again().slice(4)).toMatchObject([
    {
      step: "expired",
      sequence,
      evidence: null,
      reason: "the server ended while it was being typed, so it is not typed again: look at the terminal",
    },
  ]);
});
