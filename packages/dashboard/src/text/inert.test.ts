import { expect, test } from "vitest";
import { inert, inertLine, screenOutput } from "./inert.ts";

test.each([
  ["\u001b]52;c;aGk=\u0007", "\\u{1b}]52;c;aGk=\\u{7}"],
  ["safe\u202etxt.exe", "safe\\u{202e}txt.exe"],
  ["zero\u200bwidth\ufeff", "zero\\u{200b}width\\u{feff}"],
  ["tags \u{e0041}", "tags \\u{e0041}"],
  ["line\u2028separator\u00adsoft", "line\\u{2028}separator\\u{ad}soft"],
  ["plain\ttext\n  größer ✓ 🐾 日本", "plain\ttext\n  größer ✓ 🐾 日本"],
])("%j is shown as %j", (text, shown) => {
  expect(inert(text)).toBe(shown);
});

test("a line has no line ends, and is cut", () => {
  expect(inertLine(" a\n\n b\tc ")).toBe("a b c");
  expect(inertLine("x".repeat(500), 10)).toBe(`${"x".repeat(9)}…`);
});

test("output for a screen keeps its sequences and emoji, and loses what turns text around", () => {
  expect(screenOutput("\u001b[31mred\u202e\u2066 👩\u200d💻 \u{e0041}x\ufeff")).toBe("\u001b[31mred 👩\u200d💻 x");
});
