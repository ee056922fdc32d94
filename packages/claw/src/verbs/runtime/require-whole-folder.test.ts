import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VerbName } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "../../files/index.ts";
import { createFaultyFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { restoreMark, stageOf } from "../upkeep/restore/restore-mark.ts";
import { requireWholeFolder } from "./require-whole-folder.ts";

function cutOff(): string {
  const cwd = temporaryFolder(onTestFinished);
  mkdirSync(join(stageOf(cwd), "new", ".claw"), { recursive: true });
  writeFileSync(restoreMark(cwd), "");
  return cwd;
}

test.each<VerbName>(["ps", "list-sessions", "prompt", "backup", "uninstall", "doctor"])(
  "%s is refused in a folder whose restore was cut off, and the refusal says what finishes it",
  (verb) => {
    const cwd = cutOff();
    expect(() => requireWholeFolder(verb, { cwd, files: nodeFileSystem })).toThrow(
      expect.objectContaining({
        code: "FILESYSTEM_ERROR",
        target: restoreMark(cwd),
        hint: expect.stringContaining("claw up") as string,
      }),
    );
  },
);

test.each<VerbName>(["up", "restore", "help", "version"])("%s is served there", (verb) => {
  requireWholeFolder(verb, { cwd: cutOff(), files: nodeFileSystem });
});

test("an undecided restore, no restore, and a folder that cannot be read hinder no verb", () => {
  const cwd = temporaryFolder(onTestFinished);
  requireWholeFolder("ps", { cwd, files: nodeFileSystem });
  mkdirSync(join(stageOf(cwd), "new"), { recursive: true });
  requireWholeFolder("ps", { cwd, files: nodeFileSystem });
  const { fs } = createFaultyFileSystem({ at: 0, errno: "EACCES" });
  requireWholeFolder("ps", { cwd: cutOff(), files: fs });
});
