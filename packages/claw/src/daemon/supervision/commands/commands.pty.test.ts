import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { COMMAND_LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../process/testing/until.ts";
import type { BusHarness, Frame, Joined } from "../../../bus/testing/bus-harness.ts";
import { request } from "../../../bus/testing/bus-harness.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { boss, bootWorker, command, say, startCommandBus, stepsOf, watchSteps } from "./testing/command-scene.ts";
import type { PtyTerminals } from "./testing/pty-terminals.ts";
import { createPtyTerminals } from "./testing/pty-terminals.ts";

const TERMINAL_PROGRAM = fileURLToPath(new URL("testing/terminal-program.mjs", import.meta.url));
const PACE = { seenMs: 500, silentMs: 60_000, settleMs: 60, lookMs: 100 };
/** Long enough for every wrong claim to have been made. */
const PATIENCE_MS = 1500;

interface Scene {
  readonly harness: BusHarness;
  readonly terminals: PtyTerminals;
  readonly main: Joined;
  readonly worker: Joined;
  readonly steps: () => readonly Frame[];
  readonly read: () => string;
  readonly release: () => void;
}

async function openScene(mode: string, waits = false): Promise<Scene> {
  const folder = temporaryFolder(onTestFinished);
  const [record, gate] = [joinPath(folder, "record"), joinPath(folder, "gate")];
  const terminals = createPtyTerminals();
  const argv = [TERMINAL_PROGRAM, mode, record, ...(waits ? [gate] : [])];
  terminals.start("5", [process.execPath, ...argv]);
  const harness = await startCommandBus({ terminals }, { pace: PACE });
  const steps = await watchSteps(harness);
  const main = await boss(harness);
  const worker = await bootWorker(harness, [], { terminalId: "5", instanceNonce: "n" });
  await until("the program", async () => />|ready/.test((await terminals.screen("5")).text), 10);
  const read = (): string => (existsSync(record) ? readFileSync(record, "utf8") : "");
  return { harness, terminals, main, worker, steps, read, release: () => writeFileSync(gate, "") };
}

const reached = (steps: () => readonly Frame[], step: string) => until(step, () => stepsOf(steps()).includes(step));

const signal = (worker: Joined, name: string): Promise<Frame> =>
  say(worker, "signal", { signal: name, source: "hook" });

describe("a command for a worker in a terminal", () => {
  test("is pasted with its header, and each step names what shows it", async () => {
    const { main, worker, steps, read } = await openScene("composer");
    await command(main, worker.id, "approve", { correlation_id: "r1", chosen: "B" });
    await reached(steps, "submitted");
    await signal(worker, "turn_started");
    await signal(worker, "tool_started");
    expect(read()).toBe('\u001b[200~[CLAWS_CMD r=r1] approve_request: {"chosen":"B"}\u001b[201~\r');
    expect(steps().map(({ step, route, evidence }) => [step, route, (evidence as Frame)["kind"]])).toEqual([
      ["accepted", null, "sequence"],
      ["queued", "terminal", "sequence"],
      ["injected", "terminal", "pty_offset"],
      ["submitted", "terminal", "pty_offset"],
      ["acked", "terminal", "sequence"],
      ["applied", "terminal", "sequence"],
    ]);
  });

  test.each(["eats-enter", "eats-enter-spinner", "cooked-deaf"])(
    "expires, and was never submitted, when the program eats Enter: %s",
    async (mode) => {
      const { harness, main, worker, steps, read } = await openScene(mode);
      await command(main, worker.id, "inject_text", { text: "hello there" });
      await reached(steps, "injected");
      await delay(PATIENCE_MS);
      harness.clock.now += COMMAND_LIMITS.commandInjectedMs;
      harness.bus.checkDue();
      await reached(steps, "expired");
      expect(stepsOf(steps())).toEqual(["accepted", "queued", "injected", "expired"]);
      expect(steps().at(-1)).toMatchObject({ reason: "nothing shows that the worker's program took it" });
      expect(read().split("\r").length - 1).toBe(mode === "cooked-deaf" ? 0 : 1);
    },
  );

  test("is submitted by what a hook noticed where the screen shows nothing", async () => {
    const { main, worker, steps, read } = await openScene("parked");
    await command(main, worker.id, "inject_text", { text: "hello there" });
    await until(() => read().endsWith("\r"));
    await signal(worker, "turn_started");
    await reached(steps, "acked");
    expect(stepsOf(steps())).toEqual(["accepted", "queued", "injected", "submitted", "acked"]);
    expect(steps()[3]).toMatchObject({ evidence: { kind: "sequence" } });
  });

  test("waits while the agent is at work, in order, and what stops it goes first", async () => {
    const { main, worker, steps, read } = await openScene("composer");
    await signal(worker, "turn_started");
    await command(main, worker.id, "inject_text", { text: "first text" });
    await command(main, worker.id, "inject_text", { text: "second text" });
    expect(stepsOf(steps())).toEqual(["accepted", "queued", "accepted", "queued"]);
    await command(main, worker.id, "abort", { reason: "enough" });
    await reached(steps, "submitted");
    expect(read()).toContain("] abort: ");
    await signal(worker, "turn_ended");
    await until(() => stepsOf(steps()).filter((step) => step === "submitted").length === 3);
    const places = ["] abort: ", "first text", "second text"].map((text) => read().indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(read().split("\r").length - 1).toBe(3);
  });

  test("is refused when its program ends midway", async () => {
    const { main, worker, steps } = await openScene("exits");
    await command(main, worker.id, "inject_text", { text: "hello there" });
    await reached(steps, "refused");
    expect(steps().at(-1)).toMatchObject({ reason: "the terminal of the worker is closed" });
  });

  test("waits for a program that does not read, and is submitted when it does", async () => {
    const { main, worker, steps, release } = await openScene("busy", true);
    await command(main, worker.id, "inject_text", { text: "hello there" });
    await delay(PATIENCE_MS);
    expect(stepsOf(steps())).toEqual(["accepted", "queued"]);
    release();
    await reached(steps, "submitted");
  });

  test("is typed after a restart when it was not, and never twice when it might have been", async () => {
    const { harness, main, worker, read } = await openScene("composer");
    await signal(worker, "turn_started");
    await command(main, worker.id, "inject_text", { text: "broken off" });
    const { sequence } = await command(main, worker.id, "inject_text", { text: "still waits" });
    const about = { targetPeerId: worker.id, terminalId: "5", commandId: "c", offset: 1 };
    const payload = JSON.stringify({ ...about, sequence: Number(sequence) - 3, ts: "2026-01-01T00:00:00.000Z" });
    const begun = { topic: "system.typing.begun", from: "server", payload, tsServer: "2026-01-01T00:00:00.000Z" };
    await new Promise<void>((resolve, reject) => {
      harness.log.append(begun, { committed: () => resolve(), failed: reject });
    });
    const again = await harness.restart();
    const steps = await watchSteps(again);
    const back = await bootlessWorker(again);
    await signal(back, "turn_ended");
    await reached(steps, "submitted");
    expect(steps().filter(({ step }) => step === "expired")).toMatchObject([
      { reason: expect.stringContaining("not typed again") as unknown },
    ]);
    expect(read()).toBe("\u001b[200~still waits\u001b[201~\r");
  });
});

/** The worker of before, who comes back. */
async function bootlessWorker(harness: BusHarness): Promise<Joined> {
  const client = harness.transport.connect();
  const hello = { cmd: "hello", protocol: "claws/2", role: "worker", peerName: "worker", instanceNonce: "n" };
  const reply = await request(client, { ...hello, terminalId: "5" });
  return { client, id: String(reply["peerId"]), reply };
}
