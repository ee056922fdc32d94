import nodeFs, { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { syncData, syncFile, syncFolder, syncFolderLater } from "./disk-sync.ts";
import type { FileSystem } from "./file-system.ts";
import { fileSystemFor } from "./file-system.ts";
import { createFaultyFileSystem } from "./testing/faulty-file-system.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { createWindowsFileSystem } from "./windows-file-system.ts";

/** A file that is open for writing, and its folder. */
function openFile(): { folder: string; fd: number } {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, "file"), "text");
  const fd = openSync(join(folder, "file"), "r+");
  onTestFinished(() => closeSync(fd));
  return { folder, fd };
}

/** Syncs a file and its folder in each way. */
async function syncAll(fs: FileSystem, { folder, fd }: ReturnType<typeof openFile>): Promise<void> {
  syncFile(fs, fd);
  await syncData(fs, fd);
  syncFolder(fs, folder);
  await syncFolderLater(fs, folder);
}

describe.each(["linux", "darwin", "win32"] as const)("syncing on %s", (platform) => {
  test("reaches files and folders", async () => {
    await expect(syncAll(fileSystemFor(platform), openFile())).resolves.toBeUndefined();
  });

  test.each([0, 1, 3, 6])("reports what the disk refuses, call %i", async (at) => {
    const place = openFile();
    const { fs } = createFaultyFileSystem({ at, errno: "EIO" });
    const seen = platform === "win32" ? createWindowsFileSystem(fs) : fs;
    // A look at what was refused is a call too, so the number of the call that fails is another on Windows.
    await expect(syncAll(seen, place)).rejects.toMatchObject({ code: "EIO" });
  });
});

describe("where folders cannot be synced", () => {
  const refusal = Object.assign(new Error("EPERM"), { code: "EPERM", errno: -1, syscall: "fsync" });
  const refuses = (fd: number): boolean => nodeFs.fstatSync(fd).isDirectory();
  const calls: FileSystem = {
    ...nodeFs,
    fsyncSync: (fd) => {
      if (refuses(fd)) throw refusal;
      nodeFs.fsyncSync(fd);
    },
    fsync: ((fd: number, done: (error: Error | null) => void) =>
      refuses(fd) ? done(refusal) : nodeFs.fsync(fd, done)) as FileSystem["fsync"],
  };

  test("the port of Windows goes on", async () => {
    await expect(syncAll(createWindowsFileSystem(calls), openFile())).resolves.toBeUndefined();
  });

  test("any other port reports it", async () => {
    const { folder } = openFile();
    expect(() => syncFolder(calls, folder)).toThrow("EPERM");
    await expect(syncFolderLater(calls, folder)).rejects.toThrow("EPERM");
  });
});
