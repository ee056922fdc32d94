import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { TerminalScreen } from "claw-contract";
import { readAgentScreen } from "../../packages/claw/src/daemon/supervision/commands/screens/read-agent-screen.ts";
import type { PtyTerminals } from "../../packages/claw/src/daemon/supervision/commands/testing/pty-terminals.ts";
import { createPtyTerminals } from "../../packages/claw/src/daemon/supervision/commands/testing/pty-terminals.ts";
import { createRealScene } from "./real-scene.ts";
import type { PlayStep, ScreenPlay } from "./screen-plays.ts";
import { SCREEN_PLAYS } from "./screen-plays.ts";

const FIXTURES = new URL("../fixtures/screens/", import.meta.url);
/** So long a program has to draw nothing before its screen is kept; one that never rests is kept after so many looks. */
const REST_MS = 600;
const LOOKS = 8;
const TERMINAL = "1";
const SIZE = { cols: 120, rows: 40 };

/** Waits until nothing more is drawn. */
async function rest(terminals: PtyTerminals): Promise<TerminalScreen> {
  let screen = await terminals.screen(TERMINAL);
  for (let look = 0; look < LOOKS; look += 1) {
    await delay(REST_MS);
    const now = await terminals.screen(TERMINAL);
    if (now.offset === screen.offset) return now;
    screen = now;
  }
  return screen;
}

/** Every path of this machine as one that says nothing, as long as it was. */
const withoutPaths = (line: string): string =>
  line.replaceAll(/(?<![\w/.])\/[^\s/]+\/\S*/g, (path) => "~/project".padEnd(path.length).slice(0, path.length));

function keep(name: string, screen: TerminalScreen): void {
  const { lines, solid = [], cursor, cursorHidden, cols, rows, bracketedPaste } = screen;
  const path = fileURLToPath(new URL(`${name}.json`, FIXTURES));
  const shown = { lines: lines.map(withoutPaths), solid: solid.map(withoutPaths) };
  const kept = { cols, rows, cursor, cursorHidden, bracketedPaste, ...shown };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`);
}

async function take(terminals: PtyTerminals, step: PlayStep): Promise<void> {
  const write = (text: string) => terminals.write(TERMINAL, Buffer.from(text));
  if ("keys" in step) await write(step.keys);
  if ("paste" in step) await write(`\u001b[200~${step.paste}\u001b[201~`);
  if ("shows" in step) {
    const shown = async (): Promise<string> => (await terminals.screen(TERMINAL)).text;
    await expect.poll(shown, { timeout: 60_000, interval: 50 }).toMatch(step.shows);
  }
  await rest(terminals);
}

/** Drives a program through its play; the screens that were to be kept, by name. */
async function screensOf(play: ScreenPlay): Promise<ReadonlyMap<string, TerminalScreen>> {
  const scene = play.prepare(await createRealScene(play.scenario));
  const terminals = createPtyTerminals();
  terminals.start(TERMINAL, play.argv(scene), { cwd: scene.cwd, env: scene.env, ...(play.size ?? SIZE) });
  const screens = new Map<string, TerminalScreen>();
  for (const step of play.steps) {
    if ("shot" in step) screens.set(`${play.harness}/${step.shot}`, await rest(terminals));
    else await take(terminals, step);
  }
  return screens;
}

/** How much is shown of a text that is too long for its screen differs between versions. */
const expectedOf = (name: string, reading: unknown): unknown =>
  name.endsWith("-long-text")
    ? { ...(reading as object), text: expect.stringMatching(/^(?:word)+$/) as string }
    : reading;

const shotsIn = ({ steps }: ScreenPlay): string =>
  steps.flatMap((step) => ("shot" in step ? [step.shot] : [])).join(", ");

test.each(SCREEN_PLAYS.map((play) => [play.harness, shotsIn(play), play] as const))(
  "the screens of %s are read for what they are: %s",
  async (_harness, _shots, play) => {
    const screens = await screensOf(play);
    if (process.env["UPDATE_FIXTURES"] !== undefined) for (const [name, screen] of screens) keep(name, screen);
    const expected = JSON.parse(readFileSync(new URL("expected.json", FIXTURES), "utf8")) as Record<string, unknown>;
    const names = [...screens.keys()];
    const read = [...screens.values()].map((screen) => readAgentScreen(play.harness, screen));
    expect(Object.fromEntries(read.map((reading, at) => [names[at], reading]))).toMatchObject(
      Object.fromEntries(names.map((name) => [name, expectedOf(name, expected[name])])),
    );
  },
);
