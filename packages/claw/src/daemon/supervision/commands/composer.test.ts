import { describe, expect, test } from "vitest";
import type { TerminalScreen } from "claw-contract";
import { hasAppeared, heldText, isHeld, lineChanged, visibleEnd } from "./composer.ts";

const screen = (lines: readonly string[], x: number, cols = 80): TerminalScreen => ({
  text: lines.join("\n"),
  lines,
  cursor: { x, y: lines.length - 1 },
  cols,
  rows: 24,
  exact: true,
  offset: 0,
});

const END = visibleEnd("please fix the test");

describe("the line where text is typed", () => {
  test("holds a text whose end stands before the cursor, in a frame or without one", () => {
    expect(heldText(screen(["> please fix the test"], 21), END)).toMatchObject({ end: END });
    expect(heldText(screen(["╭──╮", "│ > fix the test │"], 16), END)).toBeUndefined();
    expect(heldText(screen(["│ please fix the test │"], 21), END)).toMatchObject({ end: END });
  });

  test("holds a text that goes on over several lines", () => {
    expect(heldText(screen(["> please please fix t", "he test"], 7, 21), END)).toMatchObject({ end: END });
    expect(heldText(screen(["> please fix", "  the test"], 10), END)).toMatchObject({ end: END });
  });

  test("goes on a line that filled the screen, and no other, up to its true beginning", () => {
    const typed = "> abcdefghijklmnopqrstuvwxyz";
    const rows = [typed.slice(0, 10), typed.slice(10, 20), typed.slice(20)];
    const line = ">abcdefghijklmnopqrstuvwxyz";
    expect(heldText(screen(rows, 8, 10), "wxyz")).toEqual({ end: "wxyz", line });
    expect(heldText(screen(["said before", ...rows], 8, 10), "wxyz")).toEqual({
      end: "wxyz",
      line: `saidbefore${line}`,
    });
    expect(heldText(screen(["said", ...rows], 8, 10), "wxyz")).toEqual({ end: "wxyz", line });
    expect(heldText(screen(rows, 8, 11), "wxyz")).toEqual({ end: "wxyz", line: "stuvwxyz" });
    const wrapped = { ...screen(rows, 8, 11), wrapped: [false, false, true] };
    expect(heldText(wrapped, "wxyz")).toEqual({ end: "wxyz", line: "ijklmnopqrstuvwxyz" });
    expect(heldText({ ...wrapped, wrapped: [true, true, true] }, "wxyz")).toEqual({ end: "wxyz", line });
    const full = { ...screen(rows, 8, 10), wrapped: [false, false, false] };
    expect(heldText(full, "wxyz")).toEqual({ end: "wxyz", line: "stuvwxyz" });
  });

  test("holds a short text right before the cursor alone, a longer one wherever the cursor is", () => {
    expect(heldText(screen(["> y"], 3), "y")).toEqual({ end: "y", line: ">y" });
    expect(heldText(screen(["> yes"], 3), "ye")).toBeUndefined();
    expect(heldText(screen(["> yes please"], 2), "yes")).toBeUndefined();
    expect(heldText(screen(["> yes please"], 2), "yesp")).toEqual({ end: "yesp", line: ">yesplease" });
    expect(heldText(screen(["> please fix the test"], 2), END)).toMatchObject({ end: END });
    expect(heldText(screen(["> something else"], 16), END)).toBeUndefined();
    expect(heldText(screen([""], 0), END)).toBeUndefined();
  });

  test("has changed when its line reads otherwise, wherever the cursor is", () => {
    expect(lineChanged(screen(["> a"], 3), screen(["> a"], 2))).toBe(false);
    expect(lineChanged(screen(["> a"], 3), screen(["> ab"], 3))).toBe(true);
  });

  test("lets go of a text that moved into what was said before", () => {
    const held = { end: END, line: ">pleasefixthetest" };
    expect(isHeld(screen(["> please fix the test", "thinking", ">"], 2), held)).toBe(false);
    expect(isHeld(screen(["> please fix the test", ""], 0), held)).toBe(true);
    expect(isHeld(screen(["got please fix the test", ""], 0), held)).toBe(false);
  });

  test("holds a text that was moved above an empty line as it was, with blank lines in between", () => {
    const held = { end: END, line: ">pleasefixthetest" };
    expect(isHeld(screen(["> please fix the test", " ", "", ""], 0), held)).toBe(true);
    expect(isHeld(screen(["> please fix the test", "", ">"], 1), held)).toBe(false);
    expect(isHeld(screen(["> please fix the test"], 21), held)).toBe(true);
    expect(isHeld(screen(["", ""], 0), { end: END, line: "" })).toBe(true);
  });

  test("shows a text when there is once more of it than before, or it comes to stand before the cursor", () => {
    const before = screen(["> please fix the test", ">"], 1);
    expect(hasAppeared(before, screen(["> please fix the test", "> x"], 3), END)).toBe(false);
    expect(hasAppeared(before, screen(["> please fix the test", "> please fix the test"], 3), END)).toBe(true);
    expect(hasAppeared(screen([">"], 1), screen(["it is yes", "> "], 2), "yes")).toBe(false);
    expect(hasAppeared(screen([">"], 1), screen(["it is yes.", "> "], 2), "yes.")).toBe(true);
    expect(hasAppeared(screen(["> y"], 3), screen(["> y"], 3), "y")).toBe(false);
    expect(hasAppeared(screen(["> y"], 3), screen(["> yy"], 4), "y")).toBe(true);
    expect(hasAppeared(screen(["> y"], 3), screen(["> yn"], 4), "y")).toBe(false);
    expect(hasAppeared(screen([">"], 1), screen([">"], 1), "")).toBe(false);
  });

  test("does not take a short text for seen because its letters stand somewhere", () => {
    expect(hasAppeared(screen([">"], 2), screen(["yes", "> "], 2), "y")).toBe(false);
    expect(hasAppeared(screen([">"], 2), screen(["> y"], 3), "y")).toBe(true);
  });

  test("knows what stands for a long paste", () => {
    const now = screen(["> [Pasted text #1 +12 lines]"], 28);
    expect(hasAppeared(screen([">"], 2), now, END)).toBe(true);
    expect(hasAppeared(now, now, END)).toBe(false);
    const two = screen(["> [Pasted text #1] [pasted text #2]"], 36);
    expect([hasAppeared(now, two, END), hasAppeared(two, now, END)]).toEqual([true, false]);
    expect(heldText(two, END)).toEqual({ end: "[pastedtext#2]", line: ">[Pastedtext#1][pastedtext#2]" });
    expect(heldText(now, END)).toEqual({ end: "[Pastedtext#1+12lines]", line: ">[Pastedtext#1+12lines]" });
  });
});

describe("the end of a text", () => {
  test.each([
    ["is its last twelve characters, without blanks and frames", "please fix │ the test", "easefixthetest".slice(-12)],
    ["is all of a short one", "fix it", "fixit"],
    ["is that of its last line that holds anything", "first\nsecond line\n | \n\n", "secondline"],
    ["counts characters of two units once", "🙂".repeat(13), "🙂".repeat(12)],
    ["is empty where there is nothing to see", " \n\u2500|", ""],
  ])("%s", (_, text, end) => expect(visibleEnd(text)).toBe(end));
});
