import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VerbName } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
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
    expect(() => requireWholeFolder(verb, cwd)).toThrow(
      expect.objectContaining({
        code: "FILESYSTEM_ERROR",
        target: restoreMark(cwd),
        hint: expect.stringContaining("claw up") as string,
      }),
    );
  },
);

test.each<VerbName>(["up", "restore", "help", "version"])("%s is served there", (verb) => {
  const cwd = cutOff();
  expect(() => requireWholeFolder(verb, cwd)).not.toThrow();
});

test("an undecided restore, and no restore, hinder no verb", () => {
  const cwd = temporaryFolder(onTestFinished);
  expect(() => requireWholeFolder("ps", cwd)).not.toThrow();
  mkdirSync(join(stageOf(cwd), "new"), { recursive: true });
  expect(() => requireWholeFolder("ps", cwd)).not.toThrow();
});
