import { appendFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { MomentStore } from "./moment-store.ts";
import { openMomentStore } from "./moment-store.ts";

const EPOCH = "0001";

function open(directory: string, maxBytes = 1_000_000): { store: MomentStore; reports: string[] } {
  const reports: string[] = [];
  const report = (problem: string): void => void reports.push(problem);
  return { store: openMomentStore(nodeFileSystem, { directory, maxBytes, report }), reports };
}

const keep = (store: MomentStore, sequence: number, epoch = EPOCH): Promise<void> =>
  store.save({ epoch, sequence, state: { seen: sequence }, events: [] });

const nameOf = (sequence: number): string => `${String(sequence).padStart(12, "0")}.snapshot`;

test("a state that was kept is read again after a restart", async () => {
  const directory = join(temporaryFolder(onTestFinished), "moments");
  const { store } = open(directory);
  await keep(store, 20);
  await keep(store, 10);
  const { store: again } = open(directory);
  expect(again.sequences()).toEqual([10, 20]);
  expect(again.load(10, EPOCH)?.state).toEqual({ seen: 10 });
});

test("a state that is damaged, of another log or under another name is removed", async () => {
  const directory = temporaryFolder(onTestFinished);
  const { store } = open(directory);
  for (const sequence of [10, 20, 30]) await keep(store, sequence);
  appendFileSync(join(directory, nameOf(10)), "x");
  await keep(store, 20, "0002");
  writeFileSync(join(directory, nameOf(40)), "");
  const { store: again } = open(directory);
  expect([10, 20, 30, 40].map((sequence) => again.load(sequence, EPOCH)?.state)).toEqual([
    undefined,
    undefined,
    { seen: 30 },
    undefined,
  ]);
  expect([again.sequences(), readdirSync(directory)]).toEqual([[30], [nameOf(30)]]);
});

test("beyond the size limit, every second of the oldest states goes, and the very oldest stays", async () => {
  const directory = temporaryFolder(onTestFinished);
  await keep(open(directory).store, 1);
  const { size } = statSync(join(directory, nameOf(1)));
  const { store } = open(directory, size * 8 + size / 2);
  for (let sequence = 2; sequence <= 9; sequence += 1) await keep(store, sequence);
  expect(store.sequences()).toEqual([1, 3, 5, 6, 7, 8, 9]);
  expect(readdirSync(directory)).toEqual(store.sequences().map(nameOf));
});

test("states before the log's beginning and after its end are forgotten", async () => {
  const directory = temporaryFolder(onTestFinished);
  const { store } = open(directory);
  for (const sequence of [10, 20, 30, 40]) await keep(store, sequence);
  store.forgetBefore(20);
  store.forgetAfter(30);
  expect([store.sequences(), open(directory).store.sequences()]).toEqual([
    [20, 30],
    [20, 30],
  ]);
});

test("a disk that refuses a state is reported, and nothing else happens", async () => {
  const directory = temporaryFolder(onTestFinished);
  const reports: string[] = [];
  const full = (): never => {
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  };
  const fs = { ...nodeFileSystem, writeSync: full };
  const store = openMomentStore(fs, { directory, maxBytes: 1000, report: (problem) => void reports.push(problem) });
  await keep(store, 10);
  expect([store.sequences(), readdirSync(directory)]).toEqual([[], []]);
  expect(reports).toEqual([expect.stringContaining("the state after event 10 was not kept")]);
});
