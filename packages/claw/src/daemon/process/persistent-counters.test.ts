import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClawError } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import type { FileSystem } from "../../files/index.ts";
import { nodeFileSystem } from "../../files/index.ts";
import { createFaultyFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { openCounters } from "./persistent-counters.ts";

const open = (path: string, fs: FileSystem = nodeFileSystem) => openCounters(fs, path, () => undefined);

const file = (): string => join(temporaryFolder(onTestFinished), "counters.json");

test("numbers go on after a crash, and each name has its own", () => {
  const path = file();
  const before = open(path);
  const given = Array.from({ length: 100 }, () => before.next("peer"));
  expect([given, before.next("task")]).toEqual([Array.from({ length: 100 }, (_, n) => n + 1), 1]);
  const after = open(path);
  expect([after.next("peer") > 100, after.next("task") > 1]).toEqual([true, true]);
});

test("a number that cannot be remembered is not given out, whichever call of the disk fails", () => {
  const refusals = new Set<unknown>();
  for (let at = 0; ; at += 1) {
    const path = file();
    const { fs, calls } = createFaultyFileSystem({ at, errno: "ENOSPC" });
    const counters = open(path, fs);
    const given: number[] = [0];
    for (let n = 0; n < 3; n += 1) {
      try {
        given.push(counters.next("peer"));
      } catch (error) {
        refusals.add((error as ClawError).code);
      }
    }
    if (calls.length <= at) break;
    expect(open(path).next("peer")).toBeGreaterThan(Math.max(...given));
  }
  expect([...refusals]).toEqual(["DISK_FULL"]);
});

test("a disk that is full for a while stops nobody: numbers are put aside before they are needed", () => {
  const path = file();
  let full = false;
  const writeSync = (...args: Parameters<typeof nodeFileSystem.writeSync>): number => {
    if (full) throw Object.assign(new Error("ENOSPC: full, write"), { code: "ENOSPC" });
    return nodeFileSystem.writeSync(...args);
  };
  const counters = open(path, { ...nodeFileSystem, writeSync: writeSync as typeof nodeFileSystem.writeSync });
  for (let n = 0; n < 60; n += 1) counters.next("peer");
  full = true;
  const given = Array.from({ length: 20 }, () => counters.next("peer"));
  expect(given).toEqual(Array.from({ length: 20 }, (_, n) => 61 + n));
  expect(() => Array.from({ length: 50 }, () => counters.next("peer"))).toThrow("ENOSPC");
  full = false;
  const last = counters.next("peer");
  expect(open(path).next("peer")).toBeGreaterThan(last);
});

test.each(["", "{", "null", "[1]", '"x"', '{"peer":"7","task":1e99}', "\0".repeat(100)])(
  "a file that holds %j is replaced, and numbers go on from what the log knows",
  (text) => {
    const path = file();
    writeFileSync(path, text);
    const counters = open(path);
    counters.startAfter("peer", 500);
    const next = counters.next("peer");
    expect(next).toBeGreaterThan(500);
    expect(open(path).next("peer")).toBeGreaterThan(next);
  },
);
