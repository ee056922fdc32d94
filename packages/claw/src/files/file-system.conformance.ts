import { constants } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { FileSystem } from "./file-system.ts";
import { fileSystemFor, nodeFileSystem } from "./file-system.ts";
import { createFaultyFileSystem } from "./testing/faulty-file-system.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;

const IMPLEMENTATIONS: readonly (readonly [string, () => FileSystem])[] = [
  ["the file system of the machine", () => nodeFileSystem],
  ["the file system of Windows", () => fileSystemFor("win32")],
  ["the faulty twin without a fault", () => createFaultyFileSystem().fs],
];

const failureOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
};

function create(fs: FileSystem, path: string, text: string): void {
  const fd = fs.openSync(path, CREATE, 0o600);
  fs.writeSync(fd, Buffer.from(text), 0);
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

function read(fs: FileSystem, path: string): string {
  const fd = fs.openSync(path, constants.O_RDONLY);
  const bytes = Buffer.alloc(64);
  const size = fs.readSync(fd, bytes, 0, bytes.length, 0);
  fs.closeSync(fd);
  return bytes.toString("utf8", 0, size);
}

/** What the code that stores things expects of its file calls. */
export function testFileSystems(): void {
  describe.each(IMPLEMENTATIONS)("%s", (_name, open) => {
    test("creates a file once and keeps what was written", () => {
      const fs = open();
      const path = join(temporaryFolder(onTestFinished), "a");
      create(fs, path, "hello");
      expect([read(fs, path), failureOf(() => create(fs, path, "other"))]).toEqual(["hello", "EEXIST"]);
    });

    test("links only where nothing stands, renames over what stands there", () => {
      const fs = open();
      const folder = temporaryFolder(onTestFinished);
      const [a, b] = [join(folder, "a"), join(folder, "b")];
      create(fs, a, "new");
      create(fs, b, "old");
      expect(failureOf(() => fs.linkSync(a, b))).toBe("EEXIST");
      fs.renameSync(a, b);
      expect([fs.readdirSync(folder), read(fs, b)]).toEqual([["b"], "new"]);
    });

    test("cuts an open file and tells its size", () => {
      const fs = open();
      const path = join(temporaryFolder(onTestFinished), "a");
      create(fs, path, "hello");
      const fd = fs.openSync(path, constants.O_RDWR);
      fs.ftruncateSync(fd, 2);
      expect([fs.fstatSync(fd).size, read(fs, path)]).toEqual([2, "he"]);
      fs.closeSync(fd);
    });

    test("says that a name is not there, and removes what is", () => {
      const fs = open();
      const folder = join(temporaryFolder(onTestFinished), "x", "y");
      const path = join(folder, "a");
      expect(fs.lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
      fs.mkdirSync(folder, { recursive: true });
      create(fs, path, "");
      fs.unlinkSync(path);
      expect([fs.readdirSync(folder), failureOf(() => fs.unlinkSync(path))]).toEqual([[], "ENOENT"]);
    });
  });
}
