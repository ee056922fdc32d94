import { chmodSync, lstatSync, renameSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ClawError } from "@claw/contract";
import { errnoOf, randomSuffix } from "../../files/index.ts";
import { openOutputsFolder } from "./outputs-folder.ts";
import type { Removal } from "./sandbox.ts";

/** The folder for what is taken away; a link in its place must not keep anything from being taken. */
function findRoom(root: string): string {
  try {
    return openOutputsFolder(root);
  } catch (error) {
    if (error instanceof ClawError) return root;
    throw error;
  }
}

/** The end of a long path tells enough; a name has an end of its own. */
const MAX_NAME = 100;

/** Renames, also out of a folder that was closed against it. */
function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errnoOf(error) !== "EACCES") throw error;
    for (const path of [from, dirname(from)]) chmodSync(path, lstatSync(path).mode | 0o700);
    renameSync(from, to);
  }
}

/** Moves something out of a workspace. What cannot be moved stays, and the answer says so. */
export function takeAway(path: string, root: string): Removal {
  const name = relative(root, path).replaceAll("/", "-").slice(-MAX_NAME);
  try {
    const movedTo = join(findRoom(root), `removed-${name}-${randomSuffix()}`);
    rename(path, movedTo);
    return { path, movedTo };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return { path, movedTo: null };
  }
}
