import { appendFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { EventLog } from "../../bus/index.ts";
import { openSegmentLog } from "../../bus/index.ts";
import { nodeFileSystem } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { openTee } from "./tee.ts";

const PAYLOADS = ['{"text":"ü \u2028 😀"}', '"\\u0000\\"\\\\"', "[1,2]", undefined];

function openScene() {
  const folder = temporaryFolder(onTestFinished);
  const directory = join(folder, "log");
  const path = join(folder, "events.jsonl");
  const open = (): EventLog =>
    openSegmentLog(nodeFileSystem, {
      directory,
      durability: "relaxed",
      segmentBytes: 300,
      retainBytes: Infinity,
      retainMs: Infinity,
    });
  const tee = (log: EventLog) =>
    openTee(nodeFileSystem, {
      log,
      path,
      failed: (error) => {
        throw error;
      },
    });
  const stored = (): string =>
    readdirSync(directory)
      .filter((name) => name.endsWith(".jsonl"))
      .toSorted()
      .map((name) => readFileSync(join(directory, name), "utf8"))
      .join("");
  return { folder, path, open, tee, stored, copied: () => readFileSync(path, "utf8") };
}

let number = 0;

function append(log: EventLog, count: number): Promise<unknown> {
  const events = Array.from({ length: count }, (_, index) => ({
    topic: `odd "topic" ${(number += 1)}`,
    from: "p_000001",
    tsServer: "2026-01-02T03:04:05.678Z",
    payload: PAYLOADS[index % PAYLOADS.length],
  }));
  return Promise.all(
    events.map((event) => new Promise((resolve, reject) => log.append(event, { committed: resolve, failed: reject }))),
  );
}

test("a copy equals the log byte for byte, over its segments", async () => {
  const { open, tee, stored, copied } = openScene();
  const log = open();
  const copy = tee(log);
  for (let round = 0; round < 5; round += 1) {
    await append(log, 8);
    copy.wake();
  }
  await copy.close();
  expect(copied()).toBe(stored());
});

test("a copy that fell behind when its process was killed goes on where it stopped", async () => {
  const { path, open, tee, stored, copied } = openScene();
  const log = open();
  const copy = tee(log);
  await append(log, 3);
  await copy.close();
  await append(log, 20);
  appendFileSync(path, '{"topic":"a.b","from":"p_000001","ts_ser');
  const again = open();
  const next = tee(again);
  await append(again, 1);
  await next.close();
  expect(copied()).toBe(stored());
});

test("a copy that was moved away is followed by another, and nothing is missing between them", async () => {
  const { folder, path, open, tee, stored, copied } = openScene();
  const log = open();
  const copy = tee(log);
  await append(log, 5);
  copy.wake();
  await copy.close();
  renameSync(path, join(folder, "events.1"));
  await append(log, 5);
  await copy.close();
  expect(readFileSync(join(folder, "events.1"), "utf8") + copied()).toBe(stored());
});

test("a copy that was moved away, and one that was never begun, go on after a crash all the same", async () => {
  const { folder, path, open, tee, stored, copied } = openScene();
  const log = open();
  tee(log);
  await append(log, 3);
  const again = open();
  const second = tee(again);
  await second.close();
  expect(copied()).toBe(stored());
  renameSync(path, join(folder, "events.1"));
  await append(again, 3);
  const third = tee(open());
  await third.close();
  expect(readFileSync(join(folder, "events.1"), "utf8") + copied()).toBe(stored());
});

test("a new copy begins with what comes, and a foreign file with more than there is makes no difference", async () => {
  const { path, open, tee, stored, copied } = openScene();
  const log = open();
  await append(log, 2);
  const before = stored();
  const copy = tee(log);
  await append(log, 2);
  await copy.close();
  expect(before + copied()).toBe(stored());
  writeFileSync(path, '{"topic":"x","from":"p_1","ts_server":"","sequence":999}\n');
  const foreign = tee(log);
  await append(log, 1);
  await foreign.close();
  expect(copied().split("\n")).toHaveLength(3);
});
