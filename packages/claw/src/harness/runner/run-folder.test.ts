import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { RunFolder } from "./run-folder.ts";
import { openRunFolder } from "./run-folder.ts";

function open(): RunFolder {
  const folder = openRunFolder(temporaryFolder(onTestFinished));
  onTestFinished(() => folder.close());
  return folder;
}

describe("the last message of an agent", () => {
  test("is what it left, up to a limit", () => {
    const folder = open();
    expect(folder.lastMessage(100)).toBeUndefined();
    writeFileSync(folder.lastMessagePath, "the last word");
    expect([folder.lastMessage(100), folder.lastMessage(8)]).toEqual(["the last word", "the last"]);
  });

  test("is read no further than the limit, however much it left", () => {
    const folder = open();
    writeFileSync(folder.lastMessagePath, "word");
    truncateSync(folder.lastMessagePath, 2 ** 40);
    expect(folder.lastMessage(4)).toBe("word");
  });

  test.each([
    ["a pipe that nobody writes to", (path: string) => void execFileSync("mkfifo", [path])],
    ["a device without an end", (path: string) => symlinkSync("/dev/zero", path)],
  ])("is none when it left %s", (_what, leave) => {
    const folder = open();
    leave(folder.lastMessagePath);
    expect(folder.lastMessage(100)).toBeUndefined();
  });
});

test("a folder that cannot be removed is left", () => {
  const parent = join(temporaryFolder(onTestFinished), "parent");
  mkdirSync(parent);
  const folder = openRunFolder(parent);
  rmSync(parent, { recursive: true });
  writeFileSync(parent, "");
  expect(() => folder.close()).not.toThrow();
  expect(existsSync(parent)).toBe(true);
});
