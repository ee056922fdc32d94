import { expect, test } from "vitest";
import { foldLines } from "./fold-lines.ts";

test("a line is broken between words, below the beginning of its text", () => {
  expect(foldLines("next: set the key of your provider", 20)).toBe("next: set the key of\nyour provider");
  expect(foldLines("  state  one two three four", 20)).toBe("  state  one two\n         three four");
  expect(foldLines("short\nlines stay", 20)).toBe("short\nlines stay");
});

test("a word is never broken, and colours take no room", () => {
  expect(foldLines("a ANTHROPIC_API_KEY b", 8)).toBe("a\nANTHROPIC_API_KEY\nb");
  expect(foldLines("\u001B[31merror\u001B[39m: it is", 12)).toBe("\u001B[31merror\u001B[39m: it is");
});

test("without a terminal a text is as it is", () => {
  expect(foldLines("x ".repeat(200), Infinity)).toBe("x ".repeat(200));
});
