import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TerminalScreen } from "claw-contract";
import { bracketed, inertLine, inertPaste, takesPastes } from "./inert-text.ts";

const hostile = fc.array(
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "\u001b[201~",
      "\u001b[20\u001b[201~1~",
      "\u009b201~",
      "\u001b",
      "[201~",
      "\r",
      "\n",
      "\u0003",
      "\u0004",
      "\u007f",
      "\ud800",
    ),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("latin1")),
  ),
);

/** What a terminal or a program would act upon, as bytes of UTF-8. */
const ACTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const decoded = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));

describe("a text that is typed", () => {
  test("whatever it holds, ends its paste where it ends and presses nothing", () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        const typed = decoded(bracketed(inertPaste(parts.join(""))));
        expect(typed.startsWith("\u001b[200~") && typed.endsWith("\u001b[201~")).toBe(true);
        expect(ACTIVE.test(typed.slice(6, -6))).toBe(false);
        const line = decoded(inertLine(parts.join("")));
        expect(ACTIVE.test(line) || /[\n\t]/.test(line)).toBe(false);
      }),
    );
  });

  test("shows what it must not do, and keeps everything else", () => {
    expect(inertPaste("a\tb\r\nü \u001b[201~\u0003\u007f\u009b! \n\n")).toBe("a\tb\nü ␛[201~␃␡\ufffd!");
    expect(inertLine("a\n\tb")).toBe("a b");
  });
});

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
