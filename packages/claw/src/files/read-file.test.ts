import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSmallFile } from "./read-file.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const openFiles = (): number => readdirSync("/proc/self/fd").length;

test("a file is read up to its limit and not a byte beyond", () => {
  const path = join(temporaryFolder(onTestFinished), "a");
  writeFileSync(path, "größer");
  expect(readSmallFile(path, 8)).toEqual({ kind: "text", text: "größer" });
  expect(readSmallFile(path, 7)).toEqual({ kind: "unusable", why: "it is larger than 7 bytes" });
});

test("what is not there is absent, whether its folder is there, is missing or is a file", () => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, "file"), "");
  for (const name of ["a", "missing/a", "file/a"]) {
    expect(readSmallFile(join(folder, name), 10)).toEqual({ kind: "absent" });
  }
});

test("a folder and a pipe are no files, and the pipe is not waited for", () => {
  const folder = temporaryFolder(onTestFinished);
  mkdirSync(join(folder, "folder"));
  spawnSync("mkfifo", [join(folder, "pipe")]);
  for (const name of ["folder", "pipe"]) {
    expect(readSmallFile(join(folder, name), 10)).toEqual({ kind: "unusable", why: "it is no regular file" });
  }
});

test("what cannot be read is said with the system's reason", () => {
  const path = join(temporaryFolder(onTestFinished), "circle");
  symlinkSync("circle", path);
  expect(readSmallFile(path, 10)).toEqual({ kind: "unusable", why: "it cannot be read (ELOOP)" });
});

test("nothing stays open, however a reading ends", () => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, "a"), "text");
  const before = openFiles();
  for (const path of [join(folder, "a"), folder]) for (const limit of [1, 10]) readSmallFile(path, limit);
  expect(openFiles()).toBe(before);
});
