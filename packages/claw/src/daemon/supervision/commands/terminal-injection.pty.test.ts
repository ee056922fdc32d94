import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../process/testing/until.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { pauseFor } from "./injection-pace.ts";
import { injectText } from "./terminal-injection.ts";
import type { PtyTerminals } from "./testing/pty-terminals.ts";
import { createPtyTerminals } from "./testing/pty-terminals.ts";

const PROGRAM = fileURLToPath(new URL("testing/terminal-program.mjs", import.meta.url));
const PACE = { seenMs: 500, silentMs: 60_000, settleMs: 60, lookMs: 100 };
const TEXT = 'first line\nsecond [line]: {"a":"ü"}';
/** Long enough for every wrong claim to have been made: many times all that is waited for between two steps. */
const PATIENCE_MS = 1500;

interface Scene {
  readonly terminals: PtyTerminals;
  /** What happened, in order. */
  readonly told: (string | readonly [string, number])[];
  /** What the program read. */
  readonly read: () => string;
  readonly release: () => void;
  readonly type: (text: string, signal?: AbortSignal) => Promise<number>;
}

async function openScene(mode: string, waits = false): Promise<Scene> {
  const folder = temporaryFolder(onTestFinished);
  const [record, gate] = [join(folder, "record"), join(folder, "gate")];
  const terminals = createPtyTerminals();
  terminals.start("5", [process.execPath, PROGRAM, mode, record, ...(waits ? [gate] : [])]);
  const hang = new AbortController();
  onTestFinished(() => hang.abort());
  const told: Scene["told"] = [];
  const type: Scene["type"] = (text, signal = hang.signal) =>
    injectText(
      {
        terminals,
        terminalId: "5",
        text,
        pace: PACE,
        pause: pauseFor,
        begun: async (offset) => void told.push(["begun", offset]),
        injected: async (offset) => void told.push(["injected", offset]),
        entered: () => void told.push("entered"),
      },
      signal,
    );
  await until("the program", async () => /ready|>/.test((await terminals.screen("5")).text), 10);
  const read = (): string => (existsSync(record) ? readFileSync(record, "utf8") : "");
  return { terminals, told, read, release: () => writeFileSync(gate, ""), type };
}

const steps = ({ told }: Scene): string[] => told.map((each) => (typeof each === "string" ? each : each[0]));

const enters = (read: string): number => read.split("\r").length - 1;

/** Waits in vain: what comes of it is never evidence. */
async function inVain(scene: Scene, text = TEXT): Promise<void> {
  const late = new AbortController();
  const typing = scene.type(text, late.signal);
  const outcome = typing.then(
    (offset) => `submitted at ${offset}`,
    (error: unknown) => error,
  );
  await Promise.race([outcome, delay(PATIENCE_MS)]);
  late.abort("expired");
  expect(await outcome).toBe("expired");
}

describe("typing into a program in a terminal", () => {
  test("pastes, presses Enter once, and sees that the text was taken", async () => {
    const scene = await openScene("composer");
    const offset = await scene.type(TEXT);
    expect(steps(scene)).toEqual(["begun", "injected", "entered"]);
    expect(scene.read()).toBe(`\u001b[200~${TEXT}\u001b[201~\r`);
    const { text } = await scene.terminals.screen("5");
    expect(text).toContain(`took ${JSON.stringify(TEXT)}`);
    const [begun, injected] = scene.told.map((each) => (typeof each === "string" ? 0 : each[1]));
    expect(begun).toBeLessThan(injected ?? 0);
    expect(injected).toBeLessThan(offset);
  });

  test.each(["eats-enter", "eats-enter-spinner", "newline", "parked-eats-enter"])(
    "claims nothing of one that takes the paste and not the key: %s",
    async (mode) => {
      const scene = await openScene(mode);
      await inVain(scene);
      expect(steps(scene)).toEqual(["begun", "injected", "entered"]);
      expect(enters(scene.read())).toBe(1);
    },
  );

  test("presses Enter, and claims nothing, where a line shows something else instead of the text", async () => {
    const scene = await openScene("masked");
    await inVain(scene);
    expect(steps(scene)).toEqual(["begun", "injected", "entered"]);
  });

  test("waits for one that shows the paste late before it presses Enter", async () => {
    const scene = await openScene("delayed");
    await scene.type(TEXT);
    expect(steps(scene)).toEqual(["begun", "injected", "entered"]);
    expect(scene.read().endsWith("\u001b[201~\r")).toBe(true);
  });

  test.each(["busy", "busy-spinner"])(
    "waits for one that does not read, and presses Enter when it does: %s",
    async (mode) => {
      const scene = await openScene(mode, true);
      const typing = scene.type("are you there");
      await Promise.race([typing, delay(PATIENCE_MS)]);
      expect(steps(scene)).toEqual(["begun"]);
      scene.release();
      await typing;
      expect(enters(scene.read())).toBe(1);
    },
  );

  test("says so when the program ends midway", async () => {
    const scene = await openScene("exits");
    await expect(scene.type(TEXT)).rejects.toMatchObject({ code: "TERMINAL_NOT_FOUND" });
    expect(steps(scene)).not.toContain("entered");
  });

  test("types one line into a program that reads lines, and believes its answer, not the kernel's echo", async () => {
    const scene = await openScene("cooked");
    await scene.type("one\ntwo");
    expect(scene.read()).toBe("one two\n");
  });

  test.each(["cooked-deaf", "cooked-chatty"])("claims nothing of one that never reads its lines: %s", async (mode) => {
    const scene = await openScene(mode);
    await inVain(scene, "hello there");
    expect(steps(scene)).toEqual(["begun", "injected", "entered"]);
  });

  test.each(["twice", "placeholder"])("sees through one that shows the text its own way: %s", async (mode) => {
    const scene = await openScene(mode);
    await scene.type(TEXT);
    expect(enters(scene.read())).toBe(1);
  });

  test("presses nothing when there was no time left", async () => {
    const scene = await openScene("busy", true);
    const late = new AbortController();
    const typing = scene.type("hello there", late.signal);
    late.abort("expired");
    await expect(typing).rejects.toBe("expired");
    scene.release();
    expect(steps(scene)).not.toContain("entered");
  });
});
