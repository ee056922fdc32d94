import { join } from "node:path";
import type { FileSystem } from "../../../files/index.ts";
import { removeTree, syncFolder, withFileErrors, writeFileAtomically } from "../../../files/index.ts";
import { restoreMark, stageOf } from "./restore-mark.ts";

const ROOTS = [".claw", ".claws"] as const;

/** What a backup does not hold, and the new folders take over: work in worktrees, and answers of keyed calls. */
const HANDED_ON = [".claws/worktrees", ".claw/idempotency"] as const;

/** Where the files of a backup are unpacked. */
export const newFolder = (cwd: string): string => join(stageOf(cwd), "new");

const oldFolder = (cwd: string): string => join(stageOf(cwd), "old");

const isThere = (fs: FileSystem, path: string): boolean => fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function handOn(fs: FileSystem, cwd: string, root: string): void {
  for (const path of HANDED_ON) {
    if (!path.startsWith(`${root}/`)) continue;
    const [from, to] = [join(cwd, path), join(newFolder(cwd), path)];
    if (isThere(fs, from) && !isThere(fs, to)) fs.renameSync(from, to);
  }
}

/** A name under which nothing of the old stands yet: a killed call may have set something aside before. */
function freeName(fs: FileSystem, path: string): string {
  for (let number = 0; ; number += 1) {
    const name = number === 0 ? path : `${path}.${number}`;
    if (!isThere(fs, name)) return name;
  }
}

/** Puts a prepared folder in place. Each step can be the last before a kill; the next call goes on after it. */
function swap(fs: FileSystem, cwd: string, root: string): void {
  const [fresh, place] = [join(newFolder(cwd), root), join(cwd, root)];
  if (!isThere(fs, fresh)) return;
  if (isThere(fs, place)) {
    handOn(fs, cwd, root);
    fs.renameSync(place, freeName(fs, join(oldFolder(cwd), root)));
  }
  fs.renameSync(fresh, place);
}

/** Goes on with a restore that was decided; false when there is none. */
export function finishRestore(fs: FileSystem, cwd: string): boolean {
  return withFileErrors("restore", cwd, () => {
    if (!isThere(fs, restoreMark(cwd))) return false;
    for (const root of ROOTS) swap(fs, cwd, root);
    syncFolder(fs, cwd);
    fs.unlinkSync(restoreMark(cwd));
    removeTree(fs, stageOf(cwd));
    return true;
  });
}

/** Decides for the prepared folders, and puts them in place. Before the decision, the old folders are as they were. */
export function decideRestore(fs: FileSystem, cwd: string): void {
  withFileErrors("restore", cwd, () => {
    fs.mkdirSync(oldFolder(cwd), { mode: 0o700 });
    writeFileAtomically(fs, restoreMark(cwd), "The files in new take the place of .claw and .claws.\n");
  });
  finishRestore(fs, cwd);
}
