import { appendFileSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { FileSystem } from "../../files/index.ts";
import { nodeFileSystem } from "../../files/index.ts";
import { append, collect, event, logConformance } from "./log.conformance.ts";
import type { SegmentLogOptions } from "./segment-log.ts";
import { openSegmentLog } from "./segment-log.ts";

function folder(): string {
  const path = temporaryFolder(onTestFinished);
  return path;
}

const options = (directory: string, more: Partial<SegmentLogOptions> = {}): SegmentLogOptions => ({
  directory,
  durability: "strict",
  segmentBytes: 4096,
  retainBytes: Infinity,
  retainMs: Infinity,
  ...more,
});

const open = (directory: string, more?: Partial<SegmentLogOptions>, fs: FileSystem = nodeFileSystem) =>
  openSegmentLog(fs, options(directory, more));

for (const durability of ["strict", "relaxed"] as const) {
  describe(`a log on disk, ${durability}`, () => {
    logConformance(() => ({ open: () => open(folder(), { durability }) }));
  });
}

describe("a log on disk", () => {
  test("goes on after a crash where it stopped", async () => {
    const directory = folder();
    const crashed = open(directory);
    for (let n = 0; n < 100; n += 1) await append(crashed, event(`t.${n}`));
    const log = open(directory);
    expect(await append(log, event("t.next"))).toBe(101);
    expect((await collect(log)).map(({ topic }) => topic)).toEqual([
      ...Array.from({ length: 100 }, (_, n) => `t.${n}`),
      "t.next",
    ]);
  });

  test("is one JSON object a line, for jq", async () => {
    const directory = folder();
    const log = open(directory);
    await append(log, event("worker.p_1.boot", { a: 1 }));
    const name = readdirSync(directory).find((file) => file.endsWith(".jsonl")) ?? "";
    const line: unknown = JSON.parse(readFileSync(join(directory, name), "utf8"));
    expect(line).toEqual({
      topic: "worker.p_1.boot",
      from: "p_000001",
      ts_server: "2026-01-02T03:04:05.678Z",
      payload: { a: 1 },
      sequence: 1,
    });
  });

  test.each([1, 20, 60])("cuts off a last line torn after %i bytes", async (bytes) => {
    const directory = folder();
    const log = open(directory, { segmentBytes: 1e9 });
    await append(log, event("a"));
    await log.close();
    const name = readdirSync(directory).find((file) => file.endsWith(".jsonl")) ?? "";
    const line = readFileSync(join(directory, name), "utf8");
    appendFileSync(join(directory, name), line.replace('"sequence":1', '"sequence":2').slice(0, bytes));
    const again = open(directory, { segmentBytes: 1e9 });
    expect(again.head()).toBe(1);
    expect(await append(again, event("b"))).toBe(2);
    expect((await collect(again)).map(({ topic }) => topic)).toEqual(["a", "b"]);
  });

  test.each([
    ["zeros of a power cut", `${"\0".repeat(5000)}\n`],
    ["many lines of anything", "junk\n\n{}\n".repeat(20_000)],
    ["a line that begins well", '{"topic":"a","from":"p_000001","ts_server":"2026-01-02T03:04:05.678Z","payl\n'],
  ])("cuts off %s, and uses no sequence twice", async (_what, rest) => {
    const directory = folder();
    const log = open(directory, { segmentBytes: 1e9 });
    for (const topic of ["a", "b"]) await append(log, event(topic));
    await log.close();
    appendFileSync(join(directory, "000000000001.jsonl"), rest);
    const again = open(directory, { segmentBytes: 1e9 });
    expect(await append(again, event("c"))).toBe(3);
    expect((await collect(again)).map(({ topic }) => topic)).toEqual(["a", "b", "c"]);
  });

  test("a clean stop keeps the index of the segment that is written on, and the next start takes it over", async () => {
    const directory = folder();
    const log = open(directory, { segmentBytes: 1e9 });
    for (let n = 1; n <= 1000; n += 1) await append(log, event(`t.${n}`, "x".repeat(200)));
    await log.close();
    expect(readdirSync(directory)).toContain("000000000001.index");
    const again = open(directory, { segmentBytes: 1e9 });
    expect(readdirSync(directory)).not.toContain("000000000001.index");
    for (const after of [0, 1, 499, 998]) expect((await again.read(after)).events[0]?.sequence).toBe(after + 1);
    await again.close();
  });

  test("a part of the segment that was repeated behind its end is never numbered again", async () => {
    const directory = folder();
    const log = open(directory, { segmentBytes: 1e9 });
    for (let n = 1; n <= 10; n += 1) await append(log, event(`t.${n}`));
    await log.close();
    const path = join(directory, "000000000001.jsonl");
    const [first = ""] = readFileSync(path, "utf8").split("\n");
    appendFileSync(path, `${first}\n`);
    const again = open(directory, { segmentBytes: 1e9 });
    expect(await append(again, event("next"))).toBe(11);
    await again.close();
  });

  test("an index that knows more than the segment holds leads to no wrong place", async () => {
    const directory = folder();
    const log = open(directory, { segmentBytes: 1e9 });
    for (let n = 1; n <= 1000; n += 1) await append(log, event(`t.${n}`, "x".repeat(200)));
    await log.close();
    truncateSync(join(directory, "000000000001.jsonl"), 150_000);
    const shorter = open(directory, { segmentBytes: 1e9 });
    const held = shorter.head();
    for (let n = held + 1; n <= 1000; n += 1) await append(shorter, event(`t.${n}`, "y".repeat(300)));
    for (let after = 0; after < 1000; after += 37) {
      expect((await shorter.read(after)).events[0]?.sequence).toBe(after + 1);
    }
    expect((await collect(shorter)).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 1000 }, (_, index) => index + 1),
    );
    await shorter.close();
  });

  test("drops the oldest segments by size and says what is left", async () => {
    const directory = folder();
    const log = open(directory, { retainBytes: 16_384 });
    for (let n = 0; n < 400; n += 1) await append(log, event(`t.${n}`, "x".repeat(100)));
    expect(log.oldest()).toBeGreaterThan(1);
    const kept = await collect(log, log.oldest() - 1);
    expect(kept[0]?.sequence).toBe(log.oldest());
    expect(kept.at(-1)?.sequence).toBe(400);
  });

  test("leads a reader of what is gone to its head, although nothing is left", async () => {
    const log = open(folder(), { segmentBytes: 1, retainBytes: 0 });
    for (let n = 0; n < 3; n += 1) await append(log, event(`t.${n}`));
    expect({ oldest: log.oldest(), batch: await log.read(1) }).toEqual({
      oldest: 4,
      batch: { events: [], through: 3 },
    });
  });

  test("reads on with a damaged or missing index", async () => {
    const directory = folder();
    const log = open(directory, { segmentBytes: 200_000 });
    for (let n = 0; n < 1000; n += 1) await append(log, event(`t.${n}`, "x".repeat(300)));
    await log.close();
    for (const name of readdirSync(directory)) {
      if (name.endsWith(".index")) writeFileSync(join(directory, name), "junk\n");
    }
    const again = open(directory, { segmentBytes: 200_000 });
    expect((await collect(again, 500)).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 500 }, (_, n) => 501 + n),
    );
  });

  test("is another log when its folder was emptied, and the same one when only its name was lost", async () => {
    const directory = folder();
    const kept = { epoch: 0 };
    const epochs = { last: () => kept.epoch, keep: (epoch: number) => void (kept.epoch = epoch) };
    const first = open(directory, { epochs });
    await append(first, event("a"));
    await first.close();
    for (const text of [undefined, "", "{", '{"version":1}', '{"epoch":"12"}']) {
      rmSync(join(directory, "meta.json"));
      if (text !== undefined) writeFileSync(join(directory, "meta.json"), text);
      const again = open(directory, { epochs });
      expect([again.epoch, again.head()]).toEqual(["0001", 1]);
      await again.close();
    }
    rmSync(directory, { recursive: true });
    expect([open(directory, { epochs }).epoch, open(directory, { epochs }).epoch]).toEqual(["0002", "0002"]);
  });

  test("reads on far into a segment that was opened anew", async () => {
    const directory = folder();
    const log = open(directory, { segmentBytes: 1e9 });
    for (let n = 0; n < 1000; n += 1) await append(log, event(`t.${n}`, "x".repeat(300)));
    await log.close();
    const again = open(directory, { segmentBytes: 1e9 });
    expect((await again.read(900)).events[0]?.sequence).toBe(901);
  });

  test("refuses events while the disk is full, keeps what it has, and goes on when there is room", async () => {
    let full = false;
    const fs: FileSystem = {
      ...nodeFileSystem,
      writeSync: ((...args: Parameters<typeof nodeFileSystem.writeSync>) => {
        if (!full) return nodeFileSystem.writeSync(...args);
        nodeFileSystem.writeSync(args[0], "torn");
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      }) as typeof nodeFileSystem.writeSync,
    };
    const directory = folder();
    const log = open(directory, {}, fs);
    await append(log, event("a"));
    full = true;
    await expect(append(log, event("b"))).rejects.toMatchObject({ code: "DISK_FULL" });
    full = false;
    expect(await append(log, event("c"))).toBe(2);
    expect((await collect(open(directory))).map(({ topic }) => topic)).toEqual(["a", "c"]);
  });

  test("a failed sync stores nothing of its batch", async () => {
    let broken = true;
    const fs: FileSystem = {
      ...nodeFileSystem,
      fdatasync: ((fd: number, done: (error: NodeJS.ErrnoException | null) => void) =>
        broken
          ? done(Object.assign(new Error("EIO"), { code: "EIO" }))
          : nodeFileSystem.fdatasync(fd, done)) as typeof nodeFileSystem.fdatasync,
    };
    const log = open(folder(), {}, fs);
    const results = await Promise.allSettled([append(log, event("a")), append(log, event("b"))]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    broken = false;
    expect(await append(log, event("c"))).toBe(1);
    expect((await collect(log)).map(({ topic }) => topic)).toEqual(["c"]);
  });
});
