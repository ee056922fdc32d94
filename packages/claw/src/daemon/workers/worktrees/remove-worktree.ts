import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { JobWorktree } from "claw-contract";
import { isMerged } from "../../../process/index.ts";
import { portVariables, runStep } from "./make-worktree.ts";
import { holdsPrivateWork, privatePlace, askGit } from "./worktree-git.ts";

export type WorktreeRemoval =
  | { readonly kind: "removed" }
  /** The worktree holds work, or a step of its removal failed. */
  | {
      readonly kind: "kept";
      readonly reason: string;
      /** Whether some or all tear-down commands were run. */
      readonly tornDown: boolean;
    };

const kept = (reason: string, tornDown: boolean): WorktreeRemoval => ({ kind: "kept", reason, tornDown });

/**
 * Marks that `ls-files -v` writes before a file that git was told not to look at: small letters, and S for skipped
 * files.
 */
const UNSEEN = /^[a-zS] /;

/** All files of a large repository. */
const LIST_BYTES = 128 * 1024 * 1024;

/** Whether the worktree has files whose changes git was told not to see. */
async function hidesChanges(path: string): Promise<boolean> {
  const files = await askGit(path, ["ls-files", "-v", "-z"], { maxOutputBytes: LIST_BYTES });
  const unseen = files.text.split("\0").filter((line) => UNSEEN.test(line));
  return !files.ok || unseen.some((line) => existsSync(join(path, line.slice(2))));
}

/** Whether a worktree's commit is merged into the branch it came from, or into the repository's current commit. */
function isTaken({ from, repository }: JobWorktree, commit: string): Promise<boolean> {
  const branches = ["HEAD", ...(from === null || from === undefined ? [] : [`refs/heads/${from}`])];
  return isMerged({ path: repository, askGit }, commit, branches);
}

/**
 * Why a worktree holds work that is nowhere else; null when there is no such work. Files that git ignores do not count.
 */
async function workIn(worktree: JobWorktree): Promise<string | null> {
  const { path, branch, base } = worktree;
  if (await holdsPrivateWork(worktree)) return "its worker has commits that are not on a branch of the repository";
  // Files that git does not know are work, whatever the repository's settings say.
  const status = await askGit(path, ["status", "--porcelain", "--untracked-files=normal"]);
  if (!status.ok) return "git does not say what is in it";
  if (status.text.trim() !== "") return "it has changes that are not committed";
  if (await hidesChanges(path)) return "it has files whose changes git was told not to see";
  const [head, count] = [
    await askGit(path, ["rev-parse", "HEAD"]),
    await askGit(path, ["rev-list", "--count", `${base}..HEAD`]),
  ];
  if (!head.ok || !count.ok) return "git does not say what is on its branch";
  if (count.text.trim() === "0") return null;
  // The worker may have left its branch: the commit that is checked out would be lost.
  const isOpen = !(await isTaken(worktree, head.text.trim()));
  return isOpen ? `${branch} has commits that are not merged (${count.text.trim()})` : null;
}

const MAX_COMPARED_BYTES = 16 * 1024 * 1024;

/** Whether a file equals its original in the repository, from which it was copied. */
function isCopy(path: string, { path: root, repository }: JobWorktree): boolean {
  const [here, there] = [join(root, path), join(repository, path)];
  const [a, b] = [here, there].map((each) => lstatSync(each, { throwIfNoEntry: false }));
  if (a?.isFile() !== true || b?.isFile() !== true || a.size !== b.size || a.size > MAX_COMPARED_BYTES) return false;
  return readFileSync(here).equals(readFileSync(there));
}

/** Files that claw's own agent keeps in its working folder, at any place in the tree. */
const OWN = /(?:^|\/)\.claw\/(?:sessions|outputs|history)\//;

/** Why files that git ignores would be lost; null when the only such files are copies from the repository. */
async function ignoredIn(worktree: JobWorktree): Promise<string | null> {
  const files = await askGit(worktree.path, ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"]);
  if (!files.ok) return "git does not say what it ignores in it";
  const own = files.text.split("\0").filter((path) => path !== "" && !OWN.test(path) && !isCopy(path, worktree));
  const [first] = own;
  return first === undefined
    ? null
    : `it has files that git ignores: ${first}${own.length > 1 ? ` and ${own.length - 1} more` : ""}`;
}

/**
 * Why a worktree would be kept, as far as is known without running its tear-down commands; null when it would be
 * removed.
 */
export async function reasonToKeep(worktree: JobWorktree, teardown: readonly string[]): Promise<string | null> {
  if (!existsSync(worktree.path)) return null;
  const work = await workIn(worktree);
  return work === null && teardown.length === 0 ? ignoredIn(worktree) : work;
}

/**
 * After a worktree is gone, removes its branch when the branch is merged, and its private git folder when it holds no
 * work.
 */
async function removeBranch(worktree: JobWorktree): Promise<void> {
  const { path, branch, repository } = worktree;
  const tip = await askGit(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
  const isLost = await holdsPrivateWork(worktree);
  if (!isLost) rmSync(privatePlace(path), { recursive: true, force: true });
  if (!tip.ok || isLost || !(await isTaken(worktree, tip.text.trim()))) return;
  // Deletes the branch only while it still points to this commit.
  await askGit(repository, ["update-ref", "-d", `refs/heads/${branch}`, tip.text.trim()]);
}

/**
 * Removes a worktree and its branch when no work would be lost: all files are committed, and all commits are merged.
 * Otherwise the worktree stays, with the reason. Tear-down commands run before. A command that fails keeps the
 * worktree, and so do files that git ignores and tear-down leaves there.
 */
export async function removeWorktree(
  worktree: JobWorktree,
  teardown: readonly string[],
  { folder, umask }: { readonly folder: string; readonly umask: number },
): Promise<WorktreeRemoval> {
  const { path, repository, port } = worktree;
  if (existsSync(path)) {
    const work = await workIn(worktree);
    if (work !== null) return kept(work, false);
    for (const command of teardown) {
      const problem = await runStep(command, {
        cwd: path,
        env: portVariables(port),
        log: join(folder, "teardown.log"),
        umask,
      });
      if (problem !== null) return kept(problem, true);
    }
    const left = (await workIn(worktree)) ?? (await ignoredIn(worktree));
    const tornDown = teardown.length > 0;
    if (left !== null) return kept(left, tornDown);
    const removed = await askGit(repository, ["worktree", "remove", path], { trees: [path] });
    if (!removed.ok) return kept(removed.text.trim(), tornDown);
  }
  await askGit(repository, ["worktree", "prune"]);
  await removeBranch(worktree);
  return { kind: "removed" };
}
