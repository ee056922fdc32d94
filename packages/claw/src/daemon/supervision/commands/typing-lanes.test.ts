import type { ErrorCode, TerminalScreen } from "claw-contract";
import { ClawError } from "claw-contract";
import { describe, expect, test } from "vitest";
import { createMemoryTerminals } from "../../../bus/terminals/memory-terminals.ts";
import type { Terminals } from "../../../bus/terminals/terminals.ts";
import type { Frame, Joined } from "../../../bus/testing/bus-harness.ts";
import { settle } from "../../../bus/testing/bus-harness.ts";
import { spawnedEvent } from "../../testing/spawned-event.ts";
import type { Sleep } from "./injection-pace.ts";
import { HINDRANCES } from "./screens/read-agent-screen.ts";
import { boss, bootWorker, command, say, startCommandBus, stepsOf, watchSteps } from "./testing/command-scene.ts";
import { promptWith, QUESTION, screenWith, scriptTerminal } from "./testing/scripted-terminal.ts";

const PACE = { seenMs: 1000, silentMs: 2000, settleMs: 1, lookMs: 3 };

/** How the program in terminal 5 behaves; a test changes it as it goes. */
interface Program {
  /** What stands in its line. */
  text: string;
  /** Whether it shows what it is given. */
  isDeaf: boolean;
  /** Whether Enter does nothing. */
  eatsEnter: boolean;
  /** Why it takes nothing. */
  failure?: Error;
}

/** A terminal whose program edits one line, and all that was written to it. */
function openProgram(program: Program): { readonly terminals: Terminals; readonly written: string[] } {
  const memory = createMemoryTerminals();
  memory.add("5");
  const written: string[] = [];
  const write = async (_id: string, bytes: Uint8Array): Promise<void> => {
    if (program.failure !== undefined) throw program.failure;
    const text = new TextDecoder().decode(bytes);
    const isEnter = text === "\r";
    written.push(isEnter ? "enter" : text.slice(6, -6));
    if (program.isDeaf || (isEnter && program.eatsEnter)) return;
    program.text = isEnter ? "" : text.slice(6, -6);
    memory.print("5", "drawn anew");
  };
  const screen: Terminals["screen"] = async (id) => {
    const { text } = program;
    return screenWith([`> ${text}`], { x: 2 + text.length, y: 0 }, { cols: 200, offset: await memory.offset(id) });
  };
  return { terminals: { ...memory, write, screen }, written };
}

/** Pauses between looks that began in this file. */
let looks = 0;

/** Only the pauses between looks are ever over. */
const pause: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    if (ms !== PACE.settleMs) return;
    looks += 1;
    setImmediate(resolve);
  });

async function openScene(behaviour: Partial<Program> = {}, policy: "strict" | "compat" = "strict") {
  const program: Program = { text: "", isDeaf: false, eatsEnter: false, ...behaviour };
  const { terminals, written } = openProgram(program);
  const harness = await startCommandBus({ terminals, policy }, { pace: PACE, pause });
  const steps = await watchSteps(harness);
  const main = await boss(harness);
  const worker = await bootWorker(harness, [], { terminalId: "5" });
  const send = (action: string, data: Frame): Promise<Frame> => command(main, worker.id, action, data);
  return { program, written, harness, steps, main, worker, send };
}

const text = (words: string): Frame => ({ text: words });
const signal = (worker: Joined, name: string): Promise<Frame> =>
  say(worker, "signal", { signal: name, source: "hook" });

/** Resolves when the bus is idle and no look at the terminal is due. */
async function rest(): Promise<void> {
  for (let before = -1; before !== looks;) {
    before = looks;
    await settle();
  }
}

describe("commands for a worker's terminal", () => {
  test("are typed one at a time, in their order, each with Enter", async () => {
    const { written, send, steps } = await openScene();
    await send("inject_text", text("first text"));
    await send("inject_text", text("second text"));
    await rest();
    expect(written).toEqual(["first text", "enter", "second text", "enter"]);
    expect(stepsOf(steps()).filter((step) => step === "submitted")).toHaveLength(2);
  });

  test("wait while the agent is at work, but for what stops it and what it waits for", async () => {
    const { written, send, worker } = await openScene();
    await signal(worker, "turn_started");
    await send("inject_text", text("first text"));
    await rest();
    expect(written).toEqual([]);
    await send("abort", { reason: "enough" });
    await rest();
    expect(written).toEqual([expect.stringContaining("] abort: "), "enter"]);
    await signal(worker, "turn_ended");
    await rest();
    expect(written.slice(2)).toEqual(["first text", "enter"]);
  });

  test("are typed although one before them cannot be", async () => {
    const { written, send, worker, steps } = await openScene({}, "compat");
    await signal(worker, "turn_started");
    await send("inject_text", { words: "no text" });
    await send("inject_text", text("second text"));
    await signal(worker, "turn_ended");
    await rest();
    expect(steps().find(({ step }) => step === "refused")).toMatchObject({ reason: "it cannot be written as a line" });
    expect(written).toEqual(["second text", "enter"]);
  });

  test("are typed while the agent is at work when it waits for the answer", async () => {
    const { written, send, worker } = await openScene();
    await signal(worker, "turn_started");
    await send("approve", { correlation_id: "r1", chosen: "B" });
    await rest();
    expect(written).toEqual(['[CLAWS_CMD r=r1] approve_request: {"chosen":"B"}', "enter"]);
  });

  test("that answer the agent overtake a text that waits for its turn to end", async () => {
    const { written, send, worker } = await openScene();
    await signal(worker, "turn_started");
    await send("inject_text", text("first text"));
    await send("approve", { correlation_id: "r1", chosen: "B" });
    await rest();
    expect(written).toEqual(['[CLAWS_CMD r=r1] approve_request: {"chosen":"B"}', "enter"]);
    await signal(worker, "turn_ended");
    await rest();
    expect(written.slice(2)).toEqual(["first text", "enter"]);
  });

  test("wait for a text that was not entered yet, whatever they are", async () => {
    const { written, send } = await openScene({ isDeaf: true });
    await send("inject_text", text("first text"));
    await send("inject_text", text("second text"));
    await send("abort", { reason: "enough" });
    await rest();
    expect(written).toEqual(["first text"]);
  });

  test("that stop the worker are first, in their own order, when there is a choice", async () => {
    const { written, send, worker, program } = await openScene({ isDeaf: true });
    await signal(worker, "turn_started");
    await send("approve", { correlation_id: "r1", chosen: "B" });
    await send("inject_text", text("first text"));
    await send("pause", {});
    await send("abort", { reason: "enough" });
    await rest();
    expect(written).toEqual([expect.stringContaining("] approve_request: ")]);
    program.isDeaf = false;
    await say(worker, "event", { kind: "PROGRESS", severity: "info", message: "on it", correlation_id: "r1" });
    await rest();
    const typed = written.filter((each) => each !== "enter").map((each) => /\] (\w+)/.exec(each)?.[1]);
    expect(typed).toEqual(["approve_request", "pause", "abort"]);
  });

  test("that stop the worker do not wait for a text that was entered, and other texts do", async () => {
    const { written, send, program } = await openScene({ eatsEnter: true });
    await send("inject_text", text("first text"));
    await send("inject_text", text("second text"));
    await rest();
    expect(written).toEqual(["first text", "enter"]);
    program.eatsEnter = false;
    await send("pause", {});
    await rest();
    expect(written.slice(2, 4)).toEqual([expect.stringContaining("] pause: "), "enter"]);
  });

  test("are let go of when they came further by other means, and the next is typed", async () => {
    const { written, send, steps, worker, program } = await openScene({ eatsEnter: true });
    await send("inject_text", text("first text"));
    await send("inject_text", text("second text"));
    await rest();
    program.eatsEnter = false;
    program.text = "";
    await signal(worker, "turn_started");
    const first = steps().filter(({ sequence }) => sequence === steps()[0]?.["sequence"]);
    expect(stepsOf(first)).toEqual(["accepted", "queued", "injected", "submitted", "acked"]);
    await signal(worker, "turn_ended");
    await rest();
    expect(written).toEqual(["first text", "enter", "second text", "enter"]);
  });
});

describe("a command that cannot be typed", () => {
  const failing = (code: ErrorCode): Error => new ClawError(code, "no", { operation: "write", target: "5" });

  test.each([
    ["the terminal of the worker is closed", failing("TERMINAL_NOT_FOUND")],
    ["the terminal of the worker takes no more", failing("TERMINAL_BUSY")],
    ["it could not be typed: TERMINAL_HOST_FAILED", failing("TERMINAL_HOST_FAILED")],
    ["no", failing("COMMAND_REFUSED")],
    ["it could not be typed", new Error("no")],
  ])("is refused, and says why: %s", async (reason, failure) => {
    const { send, steps, program, written } = await openScene({ failure });
    await send("inject_text", text("first text"));
    await rest();
    expect(stepsOf(steps())).toEqual(["accepted", "queued", "refused"]);
    expect(steps().at(-1)).toMatchObject({ reason, evidence: null });
    delete program.failure;
    await send("inject_text", text("second text"));
    await rest();
    expect(written).toEqual(["second text", "enter"]);
  });

  test("has nothing to be seen of it", async () => {
    const { send, steps, written } = await openScene();
    await send("inject_text", text("──"));
    await rest();
    expect([steps().at(-1), written]).toMatchObject([{ step: "refused", reason: "there is nothing to type" }, []]);
  });
});

test("what keeps a text back is told once until the text comes further", async () => {
  const three = (screen: TerminalScreen): TerminalScreen[] => [screen, screen, screen];
  const [open, pasted] = [promptWith(""), promptWith("first text")];
  const beforePaste = [...three(QUESTION), ...three(open), ...three(QUESTION), ...three(open)];
  const beforeEnter = [...three(QUESTION), ...three(pasted), ...three(QUESTION), ...three(pasted)];
  const screens = [...beforePaste, ...beforeEnter, ...three(open)];
  const script = scriptTerminal({ screens, end: () => undefined });
  script.terminals.add("5");
  const harness = await startCommandBus({ terminals: script.terminals }, { pace: PACE, pause: script.pause });
  const steps = await watchSteps(harness);
  const worker = await bootWorker(harness, [], { terminalId: "5" });
  const payload = spawnedEvent(worker.id, { harness: "claude-code", mode: "interactive" });
  await new Promise<void>((resolve) => {
    harness.bus.host.publish([{ topic: "system.worker.spawned", payload }], () => resolve());
  });
  await command(await boss(harness), worker.id, "inject_text", text("first text"));
  await rest();
  expect(steps().map(({ step, reason }) => (reason === undefined ? step : [step, reason]))).toEqual([
    "accepted",
    "queued",
    ["held", HINDRANCES.question],
    ["held", HINDRANCES.question],
    "injected",
    ["held", HINDRANCES.question],
    "submitted",
  ]);
  expect(script.happened.filter((each) => /^(paste|enter)/.test(each))).toEqual(["paste first text", "enter"]);
});
