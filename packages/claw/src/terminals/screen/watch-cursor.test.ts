import type { Terminal } from "@xterm/headless";
import headless from "@xterm/headless";
import { expect, onTestFinished, test } from "vitest";
import { watchCursor } from "./watch-cursor.ts";

/** An emulator whose cursor is watched, and what it has been given. */
function openEmulator() {
  const emulator: Terminal = new headless.Terminal({ cols: 20, rows: 2, allowProposedApi: true });
  onTestFinished(() => emulator.dispose());
  const isHidden = watchCursor(emulator);
  const write = (output: string): Promise<void> => new Promise((resolve) => emulator.write(output, resolve));
  return { emulator, isHidden, write };
}

const HIDE = "\u001b[?25l";
const SHOW = "\u001b[?25h";

test.each([
  ["is shown at first", "", false],
  ["is hidden when the program says so", HIDE, true],
  ["is shown again", `${HIDE}${SHOW}`, false],
  ["is hidden with other modes", "\u001b[?1;25;7l", true],
  ["is shown with other modes", `${HIDE}\u001b[?1;25h`, false],
  ["does not follow other modes", "\u001b[?7l", false],
  ["stays hidden when another mode is set", `${HIDE}\u001b[?7h`, true],
  ["does not follow a mode that is not private", "\u001b[25l", false],
  ["is shown after a reset", `${HIDE}\u001bc`, false],
  ["is shown after a soft reset", `${HIDE}\u001b[!p`, false],
])("the cursor %s", async (_, output, hidden) => {
  const { write, isHidden } = openEmulator();
  await write(output);
  expect(isHidden()).toBe(hidden);
});

test("the emulator sees everything that the watch sees", async () => {
  const { emulator, write } = openEmulator();
  await write("\u001b[?25;2004hx");
  expect(emulator.modes.bracketedPasteMode).toBe(true);
  await write("\u001b[?25;2004l\u001b[?1h");
  expect([emulator.modes.bracketedPasteMode, emulator.modes.applicationCursorKeysMode]).toEqual([false, true]);
  await write("\u001b[!p");
  expect(emulator.modes.applicationCursorKeysMode).toBe(false);
  await write("\u001bc");
  expect(emulator.buffer.active.getLine(0)?.translateToString(true)).toBe("");
});
