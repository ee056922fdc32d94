import { describe, expect, test } from "vitest";
import { createOutputLines } from "./terminal-source.ts";

const OUTPUT = "\u001B[31mred\u001B[0m\r\ntü\r\n\r\n50%\r100%\r\nno end";
const TEXT = ["red", "tü", "", "100%"];

describe("lines of an output", () => {
  test.each([1, 2, 3, 1000])("are the same in pieces of %i bytes", (size) => {
    const lines = createOutputLines(false);
    const bytes = Buffer.from(OUTPUT);
    const found: string[] = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...lines.push(bytes.subarray(at, at + size)));
    expect([found, lines.rest()]).toEqual([TEXT, ["no end"]]);
  });

  test("are left as they are when that is wanted", () => {
    const lines = createOutputLines(true);
    expect(lines.push(Buffer.from("\u001B[31mred\r\nx"))).toEqual(["\u001B[31mred\r"]);
    expect(lines.rest()).toEqual(["x"]);
  });

  test("may be as long as all that is kept of a terminal", () => {
    const lines = createOutputLines(false);
    const piece = Buffer.alloc(64 * 1024, "x");
    for (let pieces = 0; pieces < 1024; pieces += 1) lines.push(piece);
    const [line = ""] = lines.push(Buffer.from("\n"));
    expect(line.length).toBe(64 * 1024 * 1024);
    expect(lines.rest()).toEqual([]);
  });
});
