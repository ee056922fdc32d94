import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "../../../files/index.ts";
import { createFaultyFileSystem } from "../../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { decideRestore, finishRestore } from "./swap-folders.ts";

const FILES: Readonly<Record<string, string>> = {
  ".claw/session": "old",
  ".claw/idempotency/key": "answer",
  ".claws/log": "old",
  ".claws/worktrees/w1": "work",
  ".claw-restore/new/.claw/session": "new",
  ".claw-restore/new/.claws/log": "new",
};

function prepared(): string {
  const cwd = temporaryFolder(onTestFinished);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  return cwd;
}

/** Every file outside of the restore's own folder, with its content. */
const stateOf = (cwd: string): string[] =>
  readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(".claw-restore"))
    .map((entry) => `${entry.name} ${readFileSync(join(entry.parentPath, entry.name), "utf8")}`)
    .toSorted();

const OLD = ["key answer", "log old", "session old", "w1 work"];
const NEW = ["key answer", "log new", "session new", "w1 work"];

test("puts both folders in place, hands on worktrees and keyed answers, and leaves nothing behind", () => {
  const cwd = prepared();
  decideRestore(nodeFileSystem, cwd);
  expect(stateOf(cwd)).toEqual(NEW);
  expect(readdirSync(cwd).toSorted()).toEqual([".claw", ".claws"]);
  expect(finishRestore(nodeFileSystem, cwd)).toBe(false);
});

test("cut off at any call, leaves the old state, or the new one once it is finished", () => {
  const whole = createFaultyFileSystem({ at: -1, errno: "EIO" });
  decideRestore(whole.fs, prepared());
  const ends = new Set<string>();
  for (const at of whole.calls.keys()) {
    const cwd = prepared();
    const faulty = createFaultyFileSystem({ at, calls: Infinity, errno: "EIO" });
    expect(() => decideRestore(faulty.fs, cwd)).toThrow(expect.objectContaining({ code: "FILESYSTEM_ERROR" }));
    const isFinished = finishRestore(nodeFileSystem, cwd);
    const state = stateOf(cwd);
    expect([OLD, NEW]).toContainEqual(state);
    expect(isFinished && state.join() === OLD.join()).toBe(false);
    ends.add(state.join());
  }
  expect(ends).toEqual(new Set([OLD.join(), NEW.join()]));
});
