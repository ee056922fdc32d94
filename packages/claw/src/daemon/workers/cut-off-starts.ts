import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { JobWorktree } from "claw-contract";
import { LIMITS } from "claw-contract";
import { nodeFileSystem, readJsonFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import { takeBack } from "./worktrees/worktree-git.ts";

/**
 * The file, in the folder of a worker that is not in the log yet, with the worktree that is being made for the worker.
 */
const markIn = (folder: string): string => join(folder, "starting.json");

export function markLaunch(folder: string, worktree: JobWorktree): void {
  const path = markIn(folder);
  withFileErrors("save", path, () => writeFileAtomically(nodeFileSystem, path, `${JSON.stringify(worktree)}\n`));
}

/** Removes the mark: from now on the worker is in the log, or its worktree is gone. */
export function unmarkStart(folder: string): void {
  rmSync(markIn(folder), { force: true });
}

/** Only worktrees that the daemon made are ever removed, whatever a file says that may have come with the folder. */
const isOurs = ({ path, branch }: JobWorktree, claws: string): boolean =>
  dirname(resolve(path)) === join(claws, "worktrees") && branch.startsWith("claw/");

export interface KnownStarts {
  /** Whether the worker is in the log. */
  readonly isKnown: (peerId: string) => boolean;
  /** Whether a known worker works in the worktree of that path. */
  readonly worksIn: (peerId: string, path: string) => boolean;
}

/** Removes the files of starts that were interrupted before their worker was in the log. No worker has worked there. */
export async function takeBackStarts(claws: string, { isKnown, worksIn }: KnownStarts): Promise<void> {
  const workers = join(claws, "workers");
  for (const peerId of existsSync(workers) ? readdirSync(workers) : []) {
    const folder = join(workers, peerId);
    // The daemon writes the file as a whole. Other content does not come from the daemon and is ignored.
    const worktree = readJsonFile<JobWorktree>(markIn(folder), LIMITS.settingsBytes) as JobWorktree | undefined;
    if (worktree === undefined || !isOurs(worktree, claws)) continue;
    if (!worksIn(peerId, worktree.path)) await takeBack(worktree);
    if (isKnown(peerId)) unmarkStart(folder);
    else rmSync(folder, { recursive: true, force: true });
  }
}
