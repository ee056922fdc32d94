import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { FileSystem } from "../../files/index.ts";
import { nodeFileSystem } from "../../files/index.ts";
import { createFaultyFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { openSnapshotStore } from "./file-snapshot-store.ts";
import { snapshotAt, snapshotStoreConformance, whole } from "./snapshot-store.conformance.ts";

const folder = (): string => join(temporaryFolder(onTestFinished), "state");
const open = (directory = folder(), fs: FileSystem = nodeFileSystem) => openSnapshotStore(fs, directory);

/** The sequence that is loaded, and what was said about others. */
function look(directory: string, head = 100): [sequence: number | undefined, problems: string[]] {
  const problems: string[] = [];
  const snapshot = open(directory).load({ epoch: "0001", head }, (problem) => void problems.push(problem));
  return [snapshot?.sequence, problems];
}

/** The same snapshot under another header, vouched for. */
function withHeader(text: string, header: object): string {
  const body = [JSON.stringify(header), ...text.split("\n").slice(1, -2), ""].join("\n");
  return `${body}${JSON.stringify({ sha256: createHash("sha256").update(body).digest("hex") })}\n`;
}

async function withTwo(): Promise<{ directory: string; newest: string }> {
  const directory = folder();
  const store = open(directory);
  await store.save(snapshotAt(5));
  await store.save(snapshotAt(9));
  return { directory, newest: join(directory, "000000000009.snapshot") };
}

describe("a store of snapshots on disk", () => {
  snapshotStoreConformance(open);

  test("keeps two, private, and nothing half-written", async () => {
    const directory = folder();
    const store = open(directory);
    for (const sequence of [1, 2, 3, 4]) await store.save(snapshotAt(sequence));
    const names = ["000000000003.snapshot", "000000000004.snapshot"];
    expect(readdirSync(directory)).toEqual(names);
    expect(names.map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  test("removes what a process that died had begun", async () => {
    const { directory } = await withTwo();
    writeFileSync(join(directory, ".000000000011.snapshot.1-x.tmp"), "half");
    open(directory);
    expect(readdirSync(directory)).toHaveLength(2);
  });

  test("passes over a damaged one, wherever the damage is, and names it", async () => {
    const { directory, newest } = await withTwo();
    const good = readFileSync(newest);
    for (let at = 0; at < good.length; at += Math.ceil(good.length / 200)) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ 1;
      writeFileSync(newest, bad);
      expect(look(directory)).toEqual([5, ["snapshot 000000000009.snapshot is not used: it is damaged"]]);
      writeFileSync(newest, good.subarray(0, at));
      expect(look(directory)[0]).toBe(5);
    }
    writeFileSync(newest, good);
    expect(look(directory)).toEqual([9, []]);
  });

  test("passes over one of another version, under another's name, or that is no file", async () => {
    const { directory, newest } = await withTwo();
    const other = join(directory, "000000000007.snapshot");
    renameSync(newest, other);
    expect(look(directory)).toEqual([5, [expect.stringContaining("belongs to another sequence")]]);
    writeFileSync(other, withHeader(readFileSync(other, "utf8"), { snapshot: 0, epoch: "0001", sequence: 7 }));
    expect(look(directory)).toEqual([5, [expect.stringContaining("another version")]]);
    symlinkSync(other, newest);
    mkdirSync(join(directory, "000000000008.snapshot"));
    expect(look(directory)).toEqual([
      5,
      [
        expect.stringContaining("cannot be read (ELOOP)"),
        expect.stringContaining("no regular file"),
        expect.stringContaining("another version"),
      ],
    ]);
  });

  test("has the old or the new one, whichever call to the disk fails", async () => {
    const before = await withTwo();
    const sound = createFaultyFileSystem();
    await open(before.directory, sound.fs).save(snapshotAt(20));
    for (const errno of ["ENOSPC", "EIO", "EACCES", "EROFS", "SHORT"] as const) {
      for (let at = 0; at < sound.calls.length; at += 1) {
        const { directory } = await withTwo();
        const { fs } = createFaultyFileSystem({ at, errno });
        const outcome = await Promise.resolve()
          .then(() => open(directory, fs).save(snapshotAt(20)))
          .then(
            () => "stored",
            () => "refused",
          );
        const loaded = open(directory).load({ epoch: "0001", head: 100 }, () => undefined);
        expect(outcome === "stored" ? [20] : [9, 20]).toContain(loaded?.sequence);
        expect(whole(loaded)).toEqual(whole(snapshotAt(loaded?.sequence ?? 0)));
        expect(readdirSync(directory).some((name) => name.endsWith(".tmp"))).toBe(false);
      }
    }
  });
});
