import { expect, onTestFinished, test } from "vitest";
import { createMemoryBucket } from "../testing/memory-bucket.ts";
import type { MachineDirectory } from "./machine-directory.ts";
import { openMachineDirectory, UP_MS } from "./machine-directory.ts";

const REPORT = { version: "1.0.0", running: 2, slots: 100, startedAt: "2026-01-01T00:00:00.000Z" };

function startScene() {
  const bucket = createMemoryBucket();
  const clock = { now: 0 };
  const open = async (machine: string): Promise<MachineDirectory> => {
    const timestamp = (): string => new Date(Date.parse(REPORT.startedAt) + clock.now).toISOString();
    const directory = await openMachineDirectory(bucket, { machine, now: () => clock.now, timestamp });
    onTestFinished(() => directory.close());
    return directory;
  };
  return { open, clock, bucket };
}

test("all machines know each other's load, and when each was heard", async () => {
  const { open, clock } = startScene();
  const [one, two] = [await open("one"), await open("two")];
  one.begin(() => REPORT);
  two.begin(() => ({ ...REPORT, running: 7 }));
  await Promise.all([one.tell(), two.tell()]);
  clock.now = 1000;
  await two.tell();
  expect(one.all()).toEqual([
    { ...REPORT, name: "one", isUp: true, lastSeen: "2026-01-01T00:00:00.000Z" },
    { ...REPORT, running: 7, name: "two", isUp: true, lastSeen: "2026-01-01T00:00:01.000Z" },
  ]);
  expect(two.all()).toEqual(one.all());
});

test("a machine that reports no more is not up, and comes back with its next report", async () => {
  const { open, clock } = startScene();
  const [one, two] = [await open("one"), await open("two")];
  two.begin(() => REPORT);
  await two.tell();
  clock.now = UP_MS;
  expect(one.all()).toMatchObject([{ name: "two", isUp: false, lastSeen: "2026-01-01T00:00:00.000Z" }]);
  await two.tell();
  expect(one.all()).toMatchObject([{ name: "two", isUp: true }]);
});

test("a daemon that starts counts a found machine as up only until its next report is overdue", async () => {
  const { open, clock } = startScene();
  const two = await open("two");
  two.begin(() => REPORT);
  await two.tell();
  two.close();
  const one = await open("one");
  expect(one.all()).toMatchObject([{ name: "two", isUp: true }]);
  clock.now = UP_MS - 1;
  expect(one.all()).toMatchObject([{ name: "two", isUp: false }]);
});

test("a daemon that starts again goes on reporting, and text that is no report is left out", async () => {
  const { open, bucket } = startScene();
  const first = await open("one");
  first.begin(() => REPORT);
  await first.tell();
  const again = await open("one");
  again.begin(() => ({ ...REPORT, running: 3 }));
  await again.tell();
  expect(again.all()).toMatchObject([{ running: 3 }]);
  await bucket.write("machine.x", "{}", 0);
  await bucket.write("machine.y", "no", 0);
  expect(again.all()).toHaveLength(1);
});
