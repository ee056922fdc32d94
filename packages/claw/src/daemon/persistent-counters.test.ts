import { join } from "node:path";
import type { ClawError } from "@claw/contract";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "../files/index.ts";
import { createFaultyFileSystem } from "../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { openCounters } from "./persistent-counters.ts";

const file = (): string => join(temporaryFolder(onTestFinished), "counters.json");

test("numbers go on after a crash, and each name has its own", () => {
  const path = file();
  const before = openCounters(nodeFileSystem, path);
  const given = Array.from({ length: 100 }, () => before.next("peer"));
  expect([given, before.next("task")]).toEqual([Array.from({ length: 100 }, (_, n) => n + 1), 1]);
  const after = openCounters(nodeFileSystem, path);
  expect([after.next("peer") > 100, after.next("task") > 1]).toEqual([true, true]);
});

test("a number that cannot be remembered is not given out, whichever call of the disk fails", () => {
  const refusals = new Set<unknown>();
  for (let at = 0; ; at += 1) {
    const path = file();
    const { fs, calls } = createFaultyFileSystem({ at, errno: "ENOSPC" });
    const counters = openCounters(fs, path);
    const given: number[] = [0];
    for (let n = 0; n < 3; n += 1) {
      try {
        given.push(counters.next("peer"));
      } catch (error) {
        refusals.add((error as ClawError).code);
      }
    }
    if (calls.length <= at) break;
    expect(openCounters(nodeFileSystem, path).next("peer")).toBeGreaterThan(Math.max(...given));
  }
  expect([...refusals]).toEqual(["DISK_FULL"]);
});
