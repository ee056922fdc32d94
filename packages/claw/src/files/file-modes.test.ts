import { closeSync, openSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { FileModes } from "./file-modes.ts";
import { fileModesFor } from "./file-modes.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

function makeFile(): string {
  const path = join(temporaryFolder(onTestFinished), "file");
  writeFileSync(path, "text", { mode: 0o600 });
  return path;
}

/** Sets the owner of a file to the owner it has, with another mode. */
function setOwner(modes: FileModes, path: string, mode: number): void {
  const { uid, gid } = statSync(path);
  const fd = openSync(path, "r");
  onTestFinished(() => closeSync(fd));
  modes.setOwner(fd, { mode, uid, gid }, { uid, gid });
}

/** The mode of a new file that asks for all bits, while a mask is set. The mask before is set again. */
function modeUnder(modes: FileModes, mask: number): number {
  const path = join(temporaryFolder(onTestFinished), "new");
  const before = modes.setMask(mask);
  try {
    writeFileSync(path, "text", { mode: 0o666 });
  } finally {
    modes.setMask(before);
  }
  return modeOf(path);
}

describe.each(["linux", "darwin"] as const)("modes on %s", (platform) => {
  const modes = fileModesFor(platform);

  test("are set, of a path and of an open file", () => {
    const path = makeFile();
    modes.setMode(path, 0o640);
    expect(modeOf(path)).toBe(0o640);
    setOwner(modes, path, 0o604);
    expect(modeOf(path)).toBe(0o604);
  });

  test("of new files are masked, until the mask before is set again", () => {
    expect([modeUnder(modes, 0o177), modeUnder(modes, 0o022)]).toEqual([0o600, 0o644]);
  });

  test("of a file that is not there are an error", () => {
    const path = join(temporaryFolder(onTestFinished), "none");
    expect(() => modes.setMode(path, 0o600)).toThrow(expect.objectContaining({ code: "ENOENT" }));
  });
});

test("on Windows modes mean nothing: no file, owner or mask changes, and no call fails", () => {
  const modes = fileModesFor("win32");
  const path = makeFile();
  modes.setMode(path, 0o444);
  setOwner(modes, path, 0o444);
  expect(modeOf(path)).toBe(0o600);
  const mask = process.umask();
  modes.setMask(0o777);
  expect(process.umask()).toBe(mask);
});
