import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { openCwd } from "./open-cwd.ts";

test("without a folder it is the one the process is in", () => {
  expect(openCwd(undefined)).toBe(process.cwd());
});

test("a folder becomes absolute, wherever it is named from", () => {
  const folder = temporaryFolder(onTestFinished);
  mkdirSync(join(folder, "a b"));
  expect([openCwd(join(folder, "a b")), openCwd(`${relative(process.cwd(), folder)}/./a b/`), openCwd(".")]).toEqual([
    join(folder, "a b"),
    join(folder, "a b"),
    process.cwd(),
  ]);
});

test("a link to a folder is a folder", () => {
  const folder = temporaryFolder(onTestFinished);
  symlinkSync(folder, join(folder, "link"));
  expect(openCwd(join(folder, "link"))).toBe(join(folder, "link"));
});

test("what cannot be worked in is refused with the reason", () => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, "file"), "");
  symlinkSync(join(folder, "loop"), join(folder, "loop"));
  const reasons = {
    "": "empty",
    [join(folder, "none")]: "not_found",
    [join(folder, "file")]: "not_a_directory",
    [join(folder, "file", "below")]: "not_a_directory",
    [join(folder, "loop")]: "unreadable",
    [join(folder, "x".repeat(300))]: "unreadable",
    [join(folder, "a\0b")]: "unreadable",
    [join(folder, "bad\uFFFDname")]: "not_utf8",
  };
  for (const [path, reason] of Object.entries(reasons)) {
    expect(() => openCwd(path)).toThrow(
      expect.objectContaining({
        code: "INVALID_CWD",
        operation: "open_cwd",
        options: expect.objectContaining({ details: { path, reason } }),
      }),
    );
  }
});
