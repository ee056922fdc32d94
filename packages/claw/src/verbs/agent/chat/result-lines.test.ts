import { expect, test } from "vitest";
import { resultLines } from "./result-lines.ts";

const shown = (output: unknown, isError = false): string =>
  resultLines(typeof output === "string" ? output : JSON.stringify(output), isError, 60)
    .map(({ text }) => text)
    .join("");

test("a command shows what it printed, and how it ended when that was not well", () => {
  expect(shown({ stdout: "a\nb\n", stderr: "", exitCode: 0 })).toBe("  └ a\n    b\n");
  expect(shown({ stdout: "", stderr: "", exitCode: 0 })).toBe("  └ exit 0, no output\n");
  expect(shown({ stdout: "", stderr: "no such file", exitCode: 2 }, true)).toBe("  └ exit 2\n    no such file\n");
});

test("a change shows the lines that changed", () => {
  const structuredPatch = [{ lines: [" same", "-old", "+new"] }];
  expect(resultLines(JSON.stringify({ structuredPatch }), false, 60)).toEqual([
    { text: "  └ -old\n", styles: ["red"] },
    { text: "    +new\n", styles: ["green"] },
  ]);
  expect(shown({ structuredPatch: [], type: "create", content: "a\nb" })).toBe("  └ created, 2 lines\n");
});

test("a search shows what it found, a reading how much, a list its items", () => {
  expect(shown({ filenames: ["a.ts", "b.ts"] })).toBe("  └ a.ts\n    b.ts\n");
  expect(shown({ filenames: [], content: "" })).toBe("  └ nothing found\n");
  expect(shown({ type: "text", file: { content: "x", numLines: 7 } })).toBe("  └ 7 lines\n");
  expect(shown({ newTodos: [{ content: "test", status: "in_progress" }] })).toBe("  └ [>] test\n");
});

test("anything else shows its first lines, cut to the terminal", () => {
  expect(shown("")).toBe("  └ (nothing)\n");
  expect(shown("x".repeat(100))).toBe(`  └ ${"x".repeat(55)}…\n`);
  expect(shown('{"broken": ')).toBe('  └ {"broken":\n');
});
