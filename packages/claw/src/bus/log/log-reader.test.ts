import { readdirSync, readFileSync, readlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { lineHead, lineTail } from "./log-line.ts";
import { createLogReader } from "./log-reader.ts";
import { createSparseIndex } from "./sparse-index.ts";

function folder(): string {
  const path = temporaryFolder(onTestFinished);
  return path;
}

const SEGMENT_EVENTS = 3;

function segment(directory: string, first: number, count = SEGMENT_EVENTS) {
  const path = join(directory, `${first}.jsonl`);
  const lines = Array.from({ length: count }, (_, index) => {
    const sequence = first + index;
    const event = { topic: "a.b", from: "p_1", tsServer: "2026-01-01T00:00:00.000Z", payload: `${sequence}` };
    return lineHead(event) + lineTail(sequence);
  });
  writeFileSync(path, lines.join(""));
  return { first, path, index: createSparseIndex(first), size: () => lines.join("").length };
}

const openFilesBelow = (directory: string): string[] =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(directory) ? [path] : [];
    } catch {
      return [];
    }
  });

test("a segment that retention takes away while it is being opened is passed over", async () => {
  const directory = folder();
  const old = segment(directory, 1);
  const young = segment(directory, 4);
  unlinkSync(old.path);
  const views = [[old, young], [young]];
  const reader = createLogReader({ segments: () => views.shift() ?? [young], head: () => 6 });
  onTestFinished(() => reader.close());
  expect((await reader.read(0)).events.map(({ sequence }) => sequence)).toEqual([4, 5, 6]);
});

test("a segment that is gone without retention's doing is an error", async () => {
  const directory = folder();
  const lost = segment(directory, 1);
  unlinkSync(lost.path);
  const reader = createLogReader({ segments: () => [lost], head: () => 3 });
  onTestFinished(() => reader.close());
  await expect(reader.read(0)).rejects.toMatchObject({ code: "ENOENT" });
});

test("only so many files stay open, and none after closing", async () => {
  const directory = folder();
  const segments = Array.from({ length: 40 }, (_, index) => segment(directory, index * SEGMENT_EVENTS + 1));
  const reader = createLogReader({ segments: () => segments, head: () => segments.length * SEGMENT_EVENTS });
  const reads = segments.map(({ first }) => reader.read(first - 1));
  expect((await Promise.all(reads)).map(({ through }) => through)).toEqual(segments.map(({ first }) => first + 2));
  expect(openFilesBelow(directory).length).toBeLessThanOrEqual(16);
  const late = reader.read(0);
  await reader.close();
  await late;
  expect((await reader.read(0)).through).toBe(3);
  expect(openFilesBelow(directory)).toEqual([]);
});

test("a reader learns the places of a segment whose index is lost", async () => {
  const directory = folder();
  const long = segment(directory, 11, 4000);
  const reader = createLogReader({ segments: () => [long], head: () => 4010 });
  onTestFinished(() => reader.close());
  expect((await reader.read(4000)).events.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 10 }, (_, index) => 4001 + index),
  );
  const known = long.index.sequences();
  expect(known.length).toBeGreaterThan(5);
  for (const sequence of known) expect((await reader.read(sequence - 1, 1)).events[0]?.sequence).toBe(sequence);
});

test("a smaller read gives fewer events, and one at least", async () => {
  const directory = folder();
  const long = segment(directory, 1, 4000);
  const reader = createLogReader({ segments: () => [long], head: () => 4000 });
  onTestFinished(() => reader.close());
  const sizes = [1, 1000, 32 * 1024, 10_000_000].map(async (bytes) => (await reader.read(0, bytes)).events.length);
  const [least = 0, few = 0, usual = 0, all] = await Promise.all(sizes);
  expect([least, few > least, usual > few, all]).toEqual([1, true, true, 4000]);
});

test("damaged lines teach no place", async () => {
  const directory = folder();
  const long = segment(directory, 1, 4000);
  const damaged = readFileSync(long.path, "utf8").replaceAll(/"sequence":\d+\}/g, (found, at: number) =>
    at < 60_000 ? "x".repeat(found.length) : found,
  );
  writeFileSync(long.path, damaged);
  const reader = createLogReader({ segments: () => [long], head: () => 4000 });
  onTestFinished(() => reader.close());
  const { events } = await reader.read(0);
  expect((await reader.read(events[0]?.sequence ?? 0, 1)).events[0]?.sequence).toBe((events[0]?.sequence ?? 0) + 1);
  expect(long.index.sequences().slice(0, 2)).toEqual([1, expect.any(Number)]);
  for (const sequence of long.index.sequences().slice(1)) expect(long.index.find(sequence)).toBeGreaterThan(60_000);
});
