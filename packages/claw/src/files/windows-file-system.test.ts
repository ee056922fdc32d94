import nodeFs, { constants, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { FileSystem } from "./file-system.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { createWindowsFileSystem } from "./windows-file-system.ts";
import { writeFileAtomically } from "./write-file.ts";

const refusal = Object.assign(new Error("EPERM"), { code: "EPERM", errno: -1, syscall: "fsync" });

/** Refuses to sync folders, as Windows does. */
const windowsCalls = (refuses: (fd: number) => boolean): FileSystem => ({
  ...nodeFs,
  fsyncSync: (fd) => {
    if (refuses(fd)) throw refusal;
    nodeFs.fsyncSync(fd);
  },
});

const isFolder = (fd: number): boolean => nodeFs.fstatSync(fd).isDirectory();

test("a file is stored where folders cannot be synced", () => {
  const path = join(temporaryFolder(onTestFinished), "a");
  const calls = windowsCalls(isFolder);
  expect(() => writeFileAtomically(calls, path, "text")).toThrow("EPERM");
  writeFileAtomically(createWindowsFileSystem(calls), path, "text");
  expect(readFileSync(path, "utf8")).toBe("text");
});

test("a file that cannot be synced is an error still", () => {
  const path = join(temporaryFolder(onTestFinished), "a");
  expect(() => writeFileAtomically(createWindowsFileSystem(windowsCalls(() => true)), path, "text")).toThrow("EPERM");
});

test("nothing is opened through a link, whatever the flags say", () => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, "target"), "kept");
  symlinkSync(join(folder, "target"), join(folder, "link"));
  const fs = createWindowsFileSystem(nodeFs);
  const open = (): number => fs.openSync(join(folder, "link"), constants.O_WRONLY | constants.O_TRUNC);
  expect(open).toThrow(expect.objectContaining({ code: "ELOOP" }));
  expect(readFileSync(join(folder, "target"), "utf8")).toBe("kept");
});
