import { describe, expect, test } from "vitest";
import { createAnsiStripper, stripAnsi } from "./strip-ansi.ts";

const SAMPLE =
  "plain \u001b[1;31mred\u001b[0m\r\n\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\ b" +
  "\u001b(B\u001bPq#0;2\u001b\\c\u001b7\u001b8\u0007\u0008d\u007f\te\u009b2Jf\u009dx\u009cg\u001b[3\nm\u001b_apc\u001b\\hü𝄞";

describe("the text of a terminal's output", () => {
  test("has no sequences, and all of its characters", () => {
    expect(stripAnsi(SAMPLE)).toBe("plain red\r\nalink bcd\tefg\nhü𝄞");
  });

  test("is the same wherever the output was cut", () => {
    const whole = stripAnsi(SAMPLE);
    for (let cut = 0; cut <= SAMPLE.length; cut += 1) {
      const stripper = createAnsiStripper();
      expect(stripper.push(SAMPLE.slice(0, cut)) + stripper.push(SAMPLE.slice(cut))).toBe(whole);
    }
    const stripper = createAnsiStripper();
    expect(Array.from({ length: SAMPLE.length }, (_, at) => stripper.push(SAMPLE.charAt(at))).join("")).toBe(whole);
  });

  test.each([
    ["a new sequence in the middle of one", "a\u001b[12\u001b[0mb", "ab"],
    ["a string that is cut off by another sequence", "a\u001b]0;x\u001b[0mb", "ab"],
    ["a cancelled sequence", "a\u001b[12\u0018b\u001b]x\u001ac", "abc"],
    ["a title that is not ended in its line", "a\u001b]0;x\r\nb", "a\nb"],
    ["nothing but an escape at the end", "a\u001b", "a"],
    ["blanks that a screen skips", "Claude\u001b[1CCode\u001b[2Cv2\u001b[Cx", "Claude Code  v2 x"],
    ["blanks of a way that no screen has", "a\u001b[99999999Cb", `a${" ".repeat(1000)}b`],
    ["a move to another line", "one\u001b[5;1Htwo\n\u001b[2Athree\u001b[12Gfour", "one\ntwo\nthree four"],
    ["a move that begins where another was given up", "a\u001b[12\u001b[Cb", "a b"],
  ])("knows %s", (_, given, text) => expect(stripAnsi(given)).toBe(text));

  test("goes on after a sequence that never ends", () => {
    const hostile = `a\u001bP${"x".repeat(2 * 1024 * 1024)}\nend`;
    const text = stripAnsi(hostile);
    expect(text.endsWith("\nend")).toBe(true);
    const stripper = createAnsiStripper();
    const pieces = hostile.match(/[^]{1,65536}/g) ?? [];
    expect(pieces.map((piece) => stripper.push(piece)).join("")).toBe(text);
  });
});
