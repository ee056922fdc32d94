import { expect, onTestFinished, test } from "vitest";
import { createMemoryBucket } from "../testing/memory-bucket.ts";
import type { MachineDirectory } from "./machine-directory.ts";
import { openMachineDirectory } from "./machine-directory.ts";

const REPORT = { version: "1.0.0", running: 2, slots: 100, startedAt: "2026-01-01T00:00:00.000Z" };

function startScene() {
  const bucket = createMemoryBucket();
  const clock = { now: 0 };
  const silent = new Set<string>();
  const open = async (machine: string): Promise<MachineDirectory> => {
    const timestamp = (): string => new Date(Date.parse(REPORT.startedAt) + clock.now).toISOString();
    const directory = await openMachineDirectory(bucket, { machine, isHeard: (name) => !silent.has(name), timestamp });
    onTestFinished(() => directory.close());
    return directory;
  };
  return { open, clock, bucket, silent };
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

test("a machine is up while it is heard, and is listed when it is not", async () => {
  const { open, silent } = startScene();
  const [one, two] = [await open("one"), await open("two")];
  two.begin(() => REPORT);
  await two.tell();
  silent.add("two");
  expect(one.all()).toMatchObject([{ name: "two", isUp: false, lastSeen: "2026-01-01T00:00:00.000Z" }]);
  silent.delete("two");
  expect(one.all()).toMatchObject([{ name: "two", isUp: true }]);
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
