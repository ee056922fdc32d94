import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JobWorktree } from "@claw/contract";
import { portVariables, runStep } from "./make-worktree.ts";
import { askGit } from "./worktree-git.ts";

export type Removal =
  | { readonly kind: "removed" }
  /** It holds work, or something stands against it. */
  | { readonly kind: "kept"; readonly reason: string };

const kept = (reason: string): Removal => ({ kind: "kept", reason });

/** What `ls-files -v` writes before a file that git was told not to look at: small letters, and S for those left out. */
const UNSEEN = /^[a-zS] /;

/** All files of a large repository. */
const LIST_BYTES = 128 * 1024 * 1024;

/** Whether files are there whose changes git was told not to see. */
async function hidesChanges(path: string): Promise<boolean> {
  const files = await askGit(path, ["ls-files", "-v", "-z"], { maxOutputBytes: LIST_BYTES });
  const unseen = files.text.split("\0").filter((line) => UNSEEN.test(line));
  return !files.ok || unseen.some((line) => existsSync(join(path, line.slice(2))));
}

/** Why a worktree holds work that is nowhere else; null when it does not. What git ignores is not looked at. */
async function workIn({ path, branch, base, repository }: JobWorktree): Promise<string | null> {
  // Whatever the repository's settings say of files that git does not know: they are work.
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
  // Its worker may have left its branch: what is checked out there is what would be lost.
  const merged = await askGit(repository, ["merge-base", "--is-ancestor", head.text.trim(), "HEAD"]);
  return merged.ok ? null : `${branch} has ${count.text.trim()} commits that are not merged`;
}

const MAX_COMPARED_BYTES = 16 * 1024 * 1024;

/** Whether a file is the same in the repository, from where it was brought along. */
function isCopy(path: string, { path: root, repository }: JobWorktree): boolean {
  const [here, there] = [join(root, path), join(repository, path)];
  const [a, b] = [here, there].map((each) => lstatSync(each, { throwIfNoEntry: false }));
  if (a?.isFile() !== true || b?.isFile() !== true || a.size !== b.size || a.size > MAX_COMPARED_BYTES) return false;
  return readFileSync(here).equals(readFileSync(there));
}

/** Why files that git ignores would be lost; null when there are none but those that were brought along. */
async function ignoredIn(worktree: JobWorktree): Promise<string | null> {
  const files = await askGit(worktree.path, ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"]);
  if (!files.ok) return "git does not say what it ignores in it";
  const own = files.text.split("\0").filter((path) => path !== "" && !isCopy(path, worktree));
  const [first] = own;
  return first === undefined
    ? null
    : `it has files that git ignores: ${first}${own.length > 1 ? ` and ${own.length - 1} more` : ""}`;
}

/** Why a worktree would be kept, as far as can be said without running its tear-down commands; null when it would go. */
export async function reasonToKeep(worktree: JobWorktree, teardown: readonly string[]): Promise<string | null> {
  if (!existsSync(worktree.path)) return null;
  const work = await workIn(worktree);
  return work === null && teardown.length === 0 ? ignoredIn(worktree) : work;
}

/**
 * Removes a worktree and its branch when nothing would be lost: all is committed, and what was committed is merged.
 * Otherwise it stays, with the reason. Its tear-down commands are run before; one that fails keeps it too, and so do files
 * that git ignores and tear-down leaves there.
 */
export async function removeWorktree(
  worktree: JobWorktree,
  teardown: readonly string[],
  { folder, umask }: { readonly folder: string; readonly umask: number },
): Promise<Removal> {
  const { path, branch, repository, port } = worktree;
  if (existsSync(path)) {
    const work = await workIn(worktree);
    if (work !== null) return kept(work);
    for (const command of teardown) {
      const problem = await runStep(command, {
        cwd: path,
        env: portVariables(port),
        log: join(folder, "teardown.log"),
        umask,
      });
      if (problem !== null) return kept(problem);
    }
    const left = (await workIn(worktree)) ?? (await ignoredIn(worktree));
    if (left !== null) return kept(left);
    const removed = await askGit(repository, ["worktree", "remove", path], { trees: [path] });
    if (!removed.ok) return kept(removed.text.trim());
  }
  await askGit(repository, ["worktree", "prune"]);
  // Only a branch that is merged goes; git itself sees to that.
  await askGit(repository, ["branch", "-d", branch]);
  return { kind: "removed" };
}
