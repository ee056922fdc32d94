import { expect, test } from "vitest";
import type { TerminalScreen } from "claw-contract";
import { takesPastes } from "./paste-mode.ts";

const SCREEN: TerminalScreen = {
  text: "",
  lines: [],
  cursor: { x: 0, y: 0 },
  cols: 80,
  rows: 24,
  exact: true,
  offset: 0,
};

const ON = "\u001b[?2004h";
const OFF = "\u001b[?2004l";

test.each([
  ["", false],
  [ON, true],
  [`${ON}text${OFF}`, false],
  [`${OFF}text${ON}text`, true],
  ["\u001b[?25;2004h", true],
  ["\u001b[?2004;25h", true],
  ["\u001b[?12004h", false],
  ["\u001b[?1049h", false],
])("whether pastes are marked is said by the last that a program said of it: %j", async (output, expected) => {
  const asked: unknown[] = [];
  const read = async (id: string, range: { readonly limit: number }) => {
    asked.push([id, range]);
    return { bytes: Buffer.from(output), offset: 0, total: output.length };
  };
  expect(await takesPastes({ read }, "5", SCREEN)).toBe(expected);
  expect(asked).toEqual([["5", { limit: 1_048_576 }]]);
});

test.each([true, false])("the screen knows better than what was said before: %s", async (bracketedPaste) => {
  const terminals = { read: () => Promise.reject(new Error("it is not asked for")) };
  expect(await takesPastes(terminals, "5", { ...SCREEN, bracketedPaste })).toBe(bracketedPaste);
});
