import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../process/testing/until.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { injectIntoAgent } from "./agent-injection.ts";
import { pauseFor } from "./injection-pace.ts";
import type { Hindrance } from "./screens/read-agent-screen.ts";
import { HINDRANCES } from "./screens/read-agent-screen.ts";
import type { PtyTerminals } from "./testing/pty-terminals.ts";
import { createPtyTerminals } from "./testing/pty-terminals.ts";

const PROGRAM = fileURLToPath(new URL("testing/agent-program.mjs", import.meta.url));
const PACE = { seenMs: 100, silentMs: 100, settleMs: 10, lookMs: 50 };
const TEXT = "please fix\nthe test";
const PASTED = `\u001b[200~${TEXT}\u001b[201~`;

interface Scene {
  readonly terminals: PtyTerminals;
  /** What became of the typing, in order. */
  readonly told: string[];
  /** Resolves with what was first told to be in the way. */
  readonly held: Promise<Hindrance>;
  /** What the program was given. */
  readonly read: () => string;
  readonly release: () => void;
  /** Lets the program ask something, and waits until it does. */
  readonly ask: () => Promise<void>;
  readonly type: (more?: {
    readonly isBusy?: () => boolean;
    readonly injected?: () => Promise<void>;
  }) => Promise<number>;
  readonly end: AbortController;
}

async function openScene(mode: string): Promise<Scene> {
  const folder = temporaryFolder(onTestFinished);
  const [record, gate, asking] = ["record", "gate", "asking"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const terminals = createPtyTerminals();
  terminals.start("5", [process.execPath, PROGRAM, mode, record, gate, asking]);
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const shown = (text: RegExp) => until(String(text), async () => text.test((await terminals.screen("5")).text), 10);
  const told: string[] = [];
  let tell = (_why: Hindrance): void => undefined;
  const held = new Promise<Hindrance>((resolve) => (tell = resolve));
  const type: Scene["type"] = ({ isBusy = () => false, injected = async () => undefined } = {}) =>
    injectIntoAgent(
      {
        terminals,
        terminalId: "5",
        text: TEXT,
        pace: PACE,
        pause: pauseFor,
        harness: "claude-code",
        isBusy,
        begun: async () => void told.push("begun"),
        injected: async () => {
          told.push("injected");
          await injected();
        },
        entered: () => void told.push("entered"),
        held: (why) => tell(why),
      },
      end.signal,
    );
  await shown(/❯|loading/);
  const read = (): string => (existsSync(record) ? readFileSync(record, "utf8") : "");
  const ask = async (): Promise<void> => {
    writeFileSync(asking, "");
    await shown(/Write the file\?/);
  };
  return { terminals, told, held, read, release: () => writeFileSync(gate, ""), ask, type, end };
}

/** Lets the time of a text end, and waits until nothing more is done for it. */
async function expire({ end }: Scene, typing: Promise<number>): Promise<void> {
  end.abort("expired");
  await expect(typing).rejects.toBe("expired");
}

describe("typing into an agent's terminal", () => {
  test.each(["prompt", "mark"])("pastes, presses Enter once, and sees that the text was taken: %s", async (mode) => {
    const scene = await openScene(mode);
    await scene.type();
    expect(scene.told).toEqual(["begun", "injected", "entered"]);
    expect(scene.read()).toBe(`${PASTED}\r`);
    expect((await scene.terminals.screen("5")).text).toContain(`took ${JSON.stringify(TEXT)}`);
  });

  test.each([
    ["question", HINDRANCES.question],
    ["unknown", HINDRANCES.unknown],
    ["draft", HINDRANCES.draft],
    ["at-work", HINDRANCES.atWork],
  ])("types nothing at all while there is no open, empty prompt: %s", async (mode, why) => {
    const scene = await openScene(mode);
    const typing = scene.type();
    expect(await scene.held).toBe(why);
    await expire(scene, typing);
    expect([scene.told, scene.read()]).toEqual([[], ""]);
  });

  test.each(["question", "unknown", "draft", "at-work"])("types as soon as there is one: %s", async (mode) => {
    const scene = await openScene(mode);
    const typing = scene.type();
    await scene.held;
    scene.release();
    await typing;
    expect([scene.told, scene.read()]).toEqual([["begun", "injected", "entered"], `${PASTED}\r`]);
  });

  test("types nothing while something else says that the agent is at work, and does when it no longer says so", async () => {
    const scene = await openScene("prompt");
    let busy = true;
    const typing = scene.type({ isBusy: () => busy });
    expect(await scene.held).toBe(HINDRANCES.atWork);
    expect(scene.read()).toBe("");
    busy = false;
    await typing;
    expect(scene.read()).toBe(`${PASTED}\r`);
  });

  test.each([
    ["swallows", HINDRANCES.unseen],
    ["echoes", HINDRANCES.unseen],
    ["asks-on-paste", HINDRANCES.question],
  ])("presses nothing, and claims nothing, when the prompt does not show the paste: %s", async (mode, why) => {
    const scene = await openScene(mode);
    const typing = scene.type();
    expect(await scene.held).toBe(why);
    await expire(scene, typing);
    expect([scene.told, scene.read()]).toEqual([["begun"], PASTED]);
  });

  test("presses Enter when a question that stood over the paste is answered", async () => {
    const scene = await openScene("asks-on-paste");
    const typing = scene.type();
    await scene.held;
    scene.release();
    await typing;
    expect([scene.told, scene.read()]).toEqual([["begun", "injected", "entered"], `${PASTED}\r`]);
  });

  test("does not answer a question that comes up between the paste and Enter", async () => {
    const scene = await openScene("prompt");
    const typing = scene.type({ injected: scene.ask });
    expect(await scene.held).toBe(HINDRANCES.question);
    await expire(scene, typing);
    expect([scene.told, scene.read()]).toEqual([["begun", "injected"], PASTED]);
  });

  test("presses nothing when the time was over before", async () => {
    const scene = await openScene("prompt");
    scene.end.abort("expired");
    await expect(scene.type()).rejects.toBe("expired");
    expect([scene.told, scene.read()]).toEqual([[], ""]);
  });

  test("types nothing when the time is over during the last look", async () => {
    const scene = await openScene("prompt");
    const isBusy = (): boolean => {
      if (scene.told.includes("begun")) scene.end.abort("expired");
      return false;
    };
    await expect(scene.type({ isBusy })).rejects.toBe("expired");
    expect([scene.told, scene.read()]).toEqual([["begun"], ""]);
  });
});
