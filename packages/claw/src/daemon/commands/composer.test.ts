import { describe, expect, test } from "vitest";
import type { TerminalScreen } from "../../bus/index.ts";
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

  test("does not take a short text for seen because its letters stand somewhere", () => {
    expect(hasAppeared(screen([">"], 2), screen(["yes", "> "], 2), "y")).toBe(false);
    expect(hasAppeared(screen([">"], 2), screen(["> y"], 3), "y")).toBe(true);
  });

  test("knows what stands for a long paste", () => {
    const now = screen(["> [Pasted text #1 +12 lines]"], 28);
    expect(hasAppeared(screen([">"], 2), now, END)).toBe(true);
    expect(heldText(now, END)).toEqual({ end: "[Pastedtext#1+12lines]", line: ">[Pastedtext#1+12lines]" });
  });
});
