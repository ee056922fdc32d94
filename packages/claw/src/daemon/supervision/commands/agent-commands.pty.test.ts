import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMAND_LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../process/testing/until.ts";
import type { BusHarness, Frame, Joined } from "../../../bus/testing/bus-harness.ts";
import { request } from "../../../bus/testing/bus-harness.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { spawnedEvent } from "../../testing/spawned-event.ts";
import { HINDRANCES } from "./screens/read-agent-screen.ts";
import { boss, bootWorker, command, startCommandBus, stepsOf, watchSteps } from "./testing/command-scene.ts";
import { createPtyTerminals } from "./testing/pty-terminals.ts";

const PROGRAM = fileURLToPath(new URL("testing/agent-program.mjs", import.meta.url));
/** A program is given up almost at once, so that every key would be pressed that ever is. */
const PACE = { seenMs: 20, silentMs: 50, settleMs: 10, lookMs: 50 };

interface Scene {
  readonly harness: BusHarness;
  readonly main: Joined;
  readonly worker: Joined;
  readonly steps: () => readonly Frame[];
  /** What the program was given. */
  readonly read: () => string;
  readonly release: () => void;
}

/** A worker that was started with an agent in terminal 5. */
async function openScene(mode: string): Promise<Scene> {
  const folder = temporaryFolder(onTestFinished);
  const [record, gate] = [joinPath(folder, "record"), joinPath(folder, "gate")];
  const terminals = createPtyTerminals();
  terminals.start("5", [process.execPath, PROGRAM, mode, record, gate]);
  await until("the prompt", async () => (await terminals.screen("5")).text.includes("❯"), 10);
  const harness = await startCommandBus({ terminals }, { pace: PACE });
  const steps = await watchSteps(harness);
  const main = await boss(harness);
  const worker = await bootWorker(harness, ["commands"], { terminalId: "5" });
  const spawned = spawnedEvent(worker.id, { harness: "claude-code", mode: "interactive" });
  await new Promise<void>((resolve) => {
    harness.bus.host.publish([{ topic: "system.worker.spawned", payload: spawned }], () => resolve());
  });
  const read = (): string => (existsSync(record) ? readFileSync(record, "utf8") : "");
  return { harness, main, worker, steps, read, release: () => writeFileSync(gate, "") };
}

/** Waits for a step, or for what is told of one. */
async function reached({ steps }: Scene, ...wanted: readonly string[]): Promise<void> {
  await until(wanted.join(), () => stepsOf(steps()).some((step) => wanted.includes(step)));
}

async function expire(scene: Scene, afterMs: number): Promise<void> {
  scene.harness.clock.now += afterMs;
  scene.harness.bus.checkDue();
  await reached(scene, "expired");
}

describe("a text for an agent in a terminal", () => {
  test("stays queued while a question is open, with the reason, and expires without a key", async () => {
    const scene = await openScene("question");
    const { main, worker, steps, read } = scene;
    await command(main, worker.id, "inject_text", { text: "hello there" });
    await reached(scene, "held", "injected");
    expect([stepsOf(steps()), read()]).toEqual([["accepted", "queued", "held"], ""]);
    expect(steps().at(-1)).toMatchObject({ reason: HINDRANCES.question, terminalId: "5", targetPeerId: worker.id });
    await expire(scene, COMMAND_LIMITS.commandQueuedMs);
    expect(steps().at(-1)).toMatchObject({ reason: `the worker did not take it in time: ${HINDRANCES.question}` });
    expect([stepsOf(steps()), read()]).toEqual([["accepted", "queued", "held", "expired"], ""]);
  });

  test("is typed when the question was answered, and says no more that it was held", async () => {
    const scene = await openScene("question");
    await command(scene.main, scene.worker.id, "inject_text", { text: "hello there" });
    await reached(scene, "held", "injected");
    scene.release();
    await reached(scene, "submitted");
    expect(stepsOf(scene.steps())).toEqual(["accepted", "queued", "held", "injected", "submitted"]);
    expect(scene.read()).toBe("\u001b[200~hello there\u001b[201~\r");
    await expire(scene, COMMAND_LIMITS.commandSubmittedMs);
    expect(scene.steps().at(-1)).toMatchObject({ reason: "the worker did not answer it in time" });
  });

  test("is never said to be injected when the prompt does not show it, and the next one is not added to it", async () => {
    const scene = await openScene("swallows");
    const { main, worker, steps, read } = scene;
    await command(main, worker.id, "inject_text", { text: "hello there" });
    await command(main, worker.id, "inject_text", { text: "and you" });
    await reached(scene, "held", "injected");
    await expire(scene, COMMAND_LIMITS.commandQueuedMs);
    expect(stepsOf(steps())).not.toContain("injected");
    expect(steps().find(({ step }) => step === "expired")).toMatchObject({
      reason: `the worker did not take it in time: ${HINDRANCES.unseen}`,
    });
    expect(read()).toBe("\u001b[200~hello there\u001b[201~");
  });

  test("is typed as carefully when another peer says that it runs in the same terminal", async () => {
    const scene = await openScene("question");
    const other = await bootWorker(scene.harness, [], { terminalId: "5" });
    await command(scene.main, other.id, "inject_text", { text: "hello there" });
    await reached(scene, "held", "injected");
    expect([stepsOf(scene.steps()), scene.read()]).toEqual([["accepted", "queued", "held"], ""]);
  });

  test.each([
    ["a broadcast", { cmd: "broadcast", text: "hello there", inject: true }, { ok: true, injected: 0, queued: 1 }],
    ["a task", { cmd: "task.assign", title: "t", prompt: "hello there", deliver: "inject" }, { ok: true }],
  ])("that comes as %s is held as carefully", async (_what, frame, reply) => {
    const scene = await openScene("question");
    const said = await request(scene.main.client, { ...frame, assignee: scene.worker.id });
    expect(said).toMatchObject(reply);
    await reached(scene, "held");
    expect([stepsOf(scene.steps()), scene.read()]).toEqual([["accepted", "queued", "held"], ""]);
    scene.release();
    await reached(scene, "submitted");
    expect(scene.read()).toBe("\u001b[200~hello there\u001b[201~\r");
  });

  test("goes to the worker when its terminal is named, and is not typed past it", async () => {
    const { main, worker, read } = await openScene("question");
    const find = await request(main.client, { cmd: "worker.find", target: "5" });
    expect(find).toMatchObject({ ok: true, peer_id: worker.id, terminal_id: "5" });
    const typed = await request(main.client, { cmd: "terminal.type", target: "5", text: "hello there" });
    expect([typed, read()]).toEqual([expect.objectContaining({ ok: false, code: "COMMAND_REFUSED" }), ""]);
  });
});
