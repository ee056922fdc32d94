import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { createBoundedOutput } from "./bounded-output.ts";
import { createSpill } from "./spill.ts";

const SECRET = "correct-horse-battery-staple";
const KEY = `-----BEGIN PRIVATE KEY-----\n${`${"A".repeat(64)}\n`.repeat(20)}-----END PRIVATE KEY-----\n`;

function open(): { root: string; spill: ReturnType<typeof createSpill> } {
  const root = temporaryFolder(onTestFinished);
  return { root, spill: createSpill({ root, redactor: createRedactor({ secrets: [SECRET] }) }) };
}

describe("a stored output", () => {
  test.each([
    ["many lines", `${"x".repeat(99)}\n`.repeat(10_000)],
    ["one line without an end", "x ".repeat(2_000_000)],
    ["one word without an end", "x".repeat(3_000_000)],
    ["characters of several bytes", "ä€😀\n".repeat(100_000)],
    ["nothing", ""],
  ])("is whole, however it is cut into pieces: %s", (_, text) => {
    const file = open().spill.open("a b/../c");
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 65_521) file.write(bytes.subarray(at, at + 65_521));
    expect(file.close()).toEqual({ bytes: bytes.length, isWhole: true });
    expect(readFileSync(file.path, "utf8") === text).toBe(true);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  test("holds no secret, wherever it was cut", () => {
    const line = `${"x".repeat(50)} ${SECRET} y\n`;
    const text = Buffer.from(line.repeat(20_000) + KEY.repeat(400));
    const file = open().spill.open("x");
    for (let at = 0; at < text.length; at += 4099) file.write(text.subarray(at, at + 4099));
    file.close();
    const stored = readFileSync(file.path, "utf8");
    expect([stored.includes(SECRET), stored.includes("AAAAAAAA")]).toEqual([false, false]);
  });

  test("is not seen by git, and is in a folder of its own", () => {
    const { root, spill } = open();
    const files = [spill.open("x"), spill.open("x")];
    for (const file of files) file.close();
    expect(new Set(files.map(({ path }) => path)).size).toBe(2);
    expect(readFileSync(join(root, ".claw", "outputs", ".gitignore"), "utf8")).toBe("*\n");
  });
});

describe("a bounded output", () => {
  test("is shown whole when it is short, without a file", () => {
    const { root, spill } = open();
    const output = createBoundedOutput({ spill, label: "x", maxBytes: 300 });
    output.push("stdout", Buffer.from("a\r\n\u0007"));
    output.push("stderr", Buffer.from("b"));
    expect(output.finish()).toEqual({ stdout: "a\n�", stderr: "b", path: null, bytes: 5 });
    expect(existsSync(join(root, ".claw"))).toBe(false);
  });

  test("shows its beginning and end when it is long, and stores both pipes in the order they came", () => {
    const output = createBoundedOutput({ spill: open().spill, label: "x", maxBytes: 300 });
    for (let line = 0; line < 100; line += 1) {
      output.push(line % 2 === 0 ? "stdout" : "stderr", Buffer.from(`${line}\n`.padStart(20)));
    }
    const { stdout, stderr, path } = output.finish();
    expect(stdout).toMatch(/^ +0\n[^]*bytes left out; all of it is in[^]*98\n$/);
    expect(stderr).toMatch(/^ +1\n[^]*bytes left out[^]*99\n$/);
    expect(
      readFileSync(path ?? "", "utf8")
        .split("\n")
        .slice(0, 3)
        .map(Number),
    ).toEqual([0, 1, 2]);
  });

  test("is not lost when the disk does not take it", () => {
    const { root, spill } = open();
    writeFileSync(join(root, ".claw"), "in the way");
    const output = createBoundedOutput({ spill, label: "x", maxBytes: 30 });
    output.push("stdout", Buffer.from("x\n".repeat(100)));
    expect(output.finish()).toMatchObject({ path: null, stdout: expect.stringContaining("could not be stored") });
  });
});
