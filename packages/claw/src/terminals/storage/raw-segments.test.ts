import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "../../files/index.ts";
import type { Fault } from "../../files/testing/faulty-file-system.ts";
import { createFaultyFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { segmentName } from "./raw-folder.ts";
import { createSegments } from "./raw-segments.ts";

/** Segments of four bytes, of which eight are kept behind the last that is let go of. */
function openSegments(limits: { segmentBytes?: number; retainBytes?: number } = {}, fault?: Fault) {
  const folder = join(temporaryFolder(onTestFinished), "1");
  mkdirSync(folder);
  const { fs, calls } = createFaultyFileSystem(fault);
  const segments = createSegments({ folder, segmentBytes: 4, retainBytes: 8, fs, ...limits });
  onTestFinished(() => segments.close());
  const files = (): Record<string, string> =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const write = (text: string): void => segments.write(Buffer.from(text));
  return { folder, segments, files, write, calls };
}

/** Calls by their names alone. */
const named = (calls: readonly string[], name: string): number => calls.filter((call) => call.startsWith(name)).length;

test("a file is written to until it is full, and the next begins where it ends", () => {
  const { folder, segments, files, write } = openSegments();
  expect([segments.all(), files()]).toEqual([[], {}]);
  write("aaa");
  write("bb");
  write("c");
  expect(files()).toEqual({ [segmentName(0)]: "aaabb", [segmentName(5)]: "c" });
  expect(segments.all()).toEqual([
    { path: join(folder, segmentName(0)), start: 0, size: 5 },
    { path: join(folder, segmentName(5)), start: 5, size: 1 },
  ]);
});

test("the oldest file goes when as much as is to be kept stands behind it, and not a byte before", () => {
  const { files, write, segments } = openSegments();
  for (const text of ["aaaa", "bbbb", "ccc"]) write(text);
  expect(Object.keys(files())).toEqual([0, 4, 8].map(segmentName));
  write("c");
  expect(Object.keys(files())).toEqual([4, 8].map(segmentName));
  expect(segments.all().map(({ start }) => start)).toEqual([4, 8]);
});

test("several files go at once, but never the last", () => {
  const { files, write } = openSegments({ retainBytes: 0 });
  write("aaaa");
  expect(Object.keys(files())).toEqual([segmentName(0)]);
  const long = openSegments();
  for (const text of ["aaaa", "bbbb", "c".repeat(20)]) long.write(text);
  expect(Object.keys(long.files())).toEqual([segmentName(8)]);
});

test("a full file is closed when the next is open, and the last one when the log is", () => {
  const { write, segments, calls } = openSegments();
  const closes = (): number => named(calls, "closeSync");
  write("aaaa");
  const before = closes();
  write("b");
  expect(closes() - before).toBeGreaterThan(0);
  const open = (): number => named(calls, "openSync") - closes();
  expect(open()).toBe(1);
  segments.close();
  segments.close();
  expect(open()).toBe(0);
});

test("after it was closed it goes on in a new file, behind what was written", () => {
  const { write, segments, files } = openSegments();
  write("aa");
  segments.close();
  write("b");
  expect(files()).toEqual({ [segmentName(0)]: "aa", [segmentName(2)]: "b" });
});

test("what a full disk took of a piece is taken back, and the piece is written again whole", () => {
  const probe = openSegments();
  probe.write("aa");
  probe.write("bb");
  const at = probe.calls.findLastIndex((call) => call.startsWith("writeSync"));
  const { write, files, segments } = openSegments({}, { at, errno: "ENOSPC" });
  write("aa");
  expect(() => write("bb")).toThrow("ENOSPC");
  expect([files(), segments.all()]).toMatchObject([{ [segmentName(0)]: "aa" }, [{ start: 0, size: 2 }]]);
  write("bb");
  expect(files()).toEqual({ [segmentName(0)]: "aabb" });
});

test("a file that cannot be opened leaves the full one as it is", () => {
  const probe = openSegments();
  probe.write("aaaa");
  const { write, files, segments } = openSegments({}, { at: probe.calls.length, errno: "EACCES" });
  write("aaaa");
  expect(() => write("b")).toThrow("EACCES");
  expect(segments.all()).toHaveLength(1);
  write("b");
  expect(files()).toEqual({ [segmentName(0)]: "aaaa", [segmentName(4)]: "b" });
});

test("files are as long, and as much is kept, as the limits say", () => {
  const folder = temporaryFolder(onTestFinished);
  const writeSync = ((_fd: number, bytes: Buffer) => bytes.length) as typeof nodeFileSystem.writeSync;
  const segments = createSegments({ folder, fs: { ...nodeFileSystem, writeSync } });
  onTestFinished(() => segments.close());
  segments.write(Buffer.alloc(LIMITS.terminalSegmentBytes - 1));
  segments.write(Buffer.alloc(1));
  expect(segments.all()).toHaveLength(1);
  segments.write(Buffer.alloc(LIMITS.terminalLogBytes - 1));
  expect(segments.all()).toHaveLength(2);
  segments.write(Buffer.alloc(1));
  const { terminalSegmentBytes: second, terminalLogBytes: kept } = LIMITS;
  expect(segments.all().map(({ start }) => start)).toEqual([second, second + kept - 1]);
});
