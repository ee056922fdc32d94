import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { listOutputFiles, readRaw, segmentName } from "./raw-folder.ts";

function openFolder(segments: Readonly<Record<number, string>>): string {
  const folder = join(temporaryFolder(onTestFinished), "1");
  mkdirSync(folder);
  for (const [start, text] of Object.entries(segments)) writeFileSync(join(folder, segmentName(Number(start))), text);
  return folder;
}

test("files are named after the offset they begin at, and found by that alone", () => {
  const folder = openFolder({ 5: "fg", 0: "abcde" });
  for (const name of ["about.json", "7.raw", "0000000000000007.raw.tmp"]) writeFileSync(join(folder, name), "x");
  expect(listOutputFiles(folder)).toEqual([
    { path: join(folder, "0000000000000000.raw"), start: 0, size: 5 },
    { path: join(folder, "0000000000000005.raw"), start: 5, size: 2 },
  ]);
  expect(listOutputFiles(join(folder, "nothing"))).toEqual([]);
});

test("a file that goes while the folder is listed is left out", () => {
  const folder = openFolder({ 0: "abc" });
  // Listed, and not there when it is looked at.
  symlinkSync("gone", join(folder, segmentName(3)));
  expect(listOutputFiles(folder)).toMatchObject([{ start: 0 }]);
});

test("any range is read across files; an offset that is not kept any more is raised", () => {
  const text = "cdefghi";
  const segments = listOutputFiles(openFolder({ 2: "cde", 5: "fg", 7: "hi" }));
  for (let offset = 0; offset <= 11; offset += 1) {
    for (let limit = 0; limit <= 9; limit += 1) {
      const from = Math.min(9, Math.max(2, offset));
      const { bytes, ...place } = readRaw(segments, { offset, limit });
      expect([bytes.toString(), place]).toEqual([text.slice(from - 2, from - 2 + limit), { offset: from, total: 9 }]);
    }
  }
  expect(readRaw(segments, { limit: 3 })).toMatchObject({ offset: 6, total: 9 });
  expect(readRaw(segments, { limit: 100 })).toMatchObject({ offset: 2, total: 9 });
  expect(readRaw([], { limit: 3 })).toEqual({ bytes: Buffer.alloc(0), offset: 0, total: 0 });
});
