import type { JobWorktree, MergeStrategy } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import { withTrialObjects } from "../../../process/index.ts";
import { askIn } from "./worker-work.ts";

export interface MergeRequest {
  readonly name: string;
  readonly worktree: JobWorktree;
  readonly strategy: MergeStrategy;
  /** Message of a commit that is made; git's own words for those that are only moved. */
  readonly message: string;
  /** Variables of git, by which the merge is tried out apart from the repository. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A commit that is ready to become the end of a branch. Nothing was changed to make it. */
export interface PlannedMerge {
  readonly onto: string;
  readonly before: string;
  readonly commit: string;
  readonly commitsCount: number;
  readonly files: readonly string[];
}

const mergeError = (name: string, message: string): ClawError =>
  new ClawError("WORKTREE_FAILED", message.trim().slice(0, LIMITS.worktreeTailChars), {
    operation: "merge",
    target: name,
    hint: "Nothing was changed. Put right what git refused, as the message says, then call again.",
  });

/** Git's answer in the repository. Throws WORKTREE_FAILED with git's message. */
async function need(request: MergeRequest, ...args: readonly [string, ...string[]]): Promise<string> {
  const { name, worktree, env = {} } = request;
  const said = await askIn(worktree.repository, args, { env });
  if (said.ok) return said.text.trim();
  // Git runs again for its message on stderr, which must not be mixed with an answer.
  const { text } = await askIn(worktree.repository, args, { env, withStderr: true });
  throw mergeError(name, `git ${args[0]} failed: ${text}`);
}

function conflict({ name, worktree, strategy }: MergeRequest, onto: string, files: readonly string[]): ClawError {
  const merging = strategy === "rebase" ? `git -C ${worktree.path} rebase ${onto}` : `git merge ${worktree.branch}`;
  const hint = `Nothing was changed. Have the worker solve it: claw rework ${name} "merge ${onto} and solve the conflicts"; or do it yourself: ${merging}`;
  const message = `${worktree.branch} and ${onto} change the same lines: ${files.slice(0, 10).join(", ")}`;
  return new ClawError("MERGE_CONFLICT", message, {
    operation: "merge",
    target: name,
    hint,
    details: { files: [...files] },
  });
}

/** The tree of two commits merged, made without a working tree. Throws MERGE_CONFLICT. */
async function mergeTrees(request: MergeRequest, onto: string, pair: readonly [string, string]): Promise<string> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ...pair] as const;
  const said = await askIn(request.worktree.repository, args, { env: request.env ?? {} });
  const [tree = "", ...files] = said.text.split("\0").filter((entry) => entry !== "");
  if (said.ok) return tree.trim();
  if (said.code === 1) throw conflict(request, onto, [...new Set(files)]);
  throw mergeError(request.name, "this git cannot merge without a working tree; version 2.38 can");
}

/** Puts commits on top of another, one by one. Merges among them are left out, as git does. */
async function replay(request: MergeRequest, branch: string, ends: { base: string; tip: string }): Promise<string> {
  const { base, tip } = ends;
  const listed = await need(request, "rev-list", "--reverse", "--topo-order", "--no-merges", `${base}..${tip}`);
  let top = base;
  for (const commit of listed.split("\n").filter((line) => line !== "")) {
    // As if the new base had been made right after the commit's parent: then that is where both part.
    const moved = await need(request, "commit-tree", "-p", `${commit}^`, "-m", "base", `${top}^{tree}`);
    const tree = await mergeTrees(request, branch, [moved, commit]);
    if (tree === (await need(request, "rev-parse", `${top}^{tree}`))) continue;
    top = await copyCommit(request, commit, { tree, parent: top });
  }
  return top;
}

/** A commit with another tree and parent, and the author, date and message of the first. */
async function copyCommit(
  request: MergeRequest,
  commit: string,
  { tree, parent }: { readonly tree: string; readonly parent: string },
): Promise<string> {
  const facts = await need(request, "log", "-1", "--format=%an%x00%ae%x00%aI%x00%B", commit);
  const [name = "", email = "", date = "", ...message] = facts.split("\0");
  const env = { ...request.env, GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
  const args = ["commit-tree", "-p", parent, "-m", message.join("").trim() || commit, tree] as const;
  const said = await askIn(request.worktree.repository, args, { env });
  if (said.ok) return said.text.trim();
  throw mergeError(request.name, "git commit-tree failed: it needs a name and an address to commit with");
}

async function ontoOf(request: MergeRequest): Promise<string> {
  const { from, repository } = request.worktree;
  if (from !== null && from !== undefined) return from;
  const head = await askIn(repository, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (head.ok) return head.text.trim();
  throw mergeError(request.name, `its worktree came from no branch, and none is checked out in ${repository}`);
}

/** Plans a merge. Changes no branch and no file, and leaves no object. Throws MERGE_CONFLICT, WORKTREE_FAILED. */
export const planMerge = (request: MergeRequest): Promise<PlannedMerge> =>
  withTrialObjects(request.worktree.repository, ({ env }) => makeMerge({ ...request, env }));

/** Makes the commit that a branch would be at. */
async function makeMerge(request: MergeRequest): Promise<PlannedMerge> {
  const { worktree, strategy, message } = request;
  const onto = await ontoOf(request);
  const before = await need(request, "rev-parse", "--verify", `refs/heads/${onto}^{commit}`);
  // A worker may have left its branch: the commit checked out in the worktree is the worker's work.
  const head = await askIn(worktree.path, ["rev-parse", "--verify", "HEAD^{commit}"]);
  if (!head.ok) throw mergeError(request.name, `git does not say what is checked out in ${worktree.path}`);
  const tip = head.text.trim();
  const commitsCount = Number(await need(request, "rev-list", "--count", `${before}..${tip}`));
  const make = async (): Promise<string> => {
    if (strategy === "rebase") return replay(request, onto, { base: before, tip });
    const isAhead = (await askIn(worktree.repository, ["merge-base", "--is-ancestor", before, tip])).ok;
    if (strategy === "merge" && isAhead) return tip;
    const tree = await mergeTrees(request, onto, [before, tip]);
    const parents = strategy === "merge" ? ["-p", before, "-p", tip] : ["-p", before];
    return need(request, "commit-tree", ...parents, "-m", message, tree);
  };
  const made = commitsCount === 0 ? before : await make();
  const names = await need(request, "diff", "--name-only", "-z", "--no-renames", before, made);
  const files = names.split("\0").filter((path) => path !== "");
  // Work that came into the branch by another way, as by a squash, is not brought there again.
  return { onto, before, commit: files.length === 0 ? before : made, commitsCount, files };
}

/** The working tree in which a branch is checked out; null when none is. */
async function treeOf(request: MergeRequest, branch: string): Promise<string | null> {
  const listed = await need(request, "worktree", "list", "--porcelain");
  const found = listed.split("\n\n").find((entry) => entry.split("\n").includes(`branch refs/heads/${branch}`));
  return found?.split("\n")[0]?.slice("worktree ".length) ?? null;
}

/**
 * Merges for good: moves the branch, with the files of the working tree it is checked out in. Git refuses as a whole
 * when changes there would be lost, or the branch was moved meanwhile. Throws MERGE_CONFLICT, WORKTREE_FAILED.
 */
export async function carryOut(request: MergeRequest): Promise<PlannedMerge> {
  const made = await makeMerge(request);
  if (made.commit !== made.before) await moveBranch(request, made);
  return made;
}

async function moveBranch(request: MergeRequest, { onto, before, commit }: PlannedMerge): Promise<void> {
  const tree = await treeOf(request, onto);
  if (tree === null) {
    const note = `claw: ${request.strategy} of ${request.worktree.branch}`;
    await need(request, "update-ref", "-m", note, `refs/heads/${onto}`, commit, before);
    return;
  }
  const moved = await askIn(tree, ["merge", "--ff-only", "--quiet", commit], { withStderr: true });
  if (!moved.ok) throw mergeError(request.name, `git did not change ${tree}: ${moved.text}`);
}

/** Commits everything that is not committed in a worktree. Throws WORKTREE_FAILED. */
export async function commitAll(
  { name, worktree }: Pick<MergeRequest, "name" | "worktree">,
  message: string,
): Promise<void> {
  for (const args of [
    ["add", "--all"],
    ["commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", message],
  ] as const) {
    const said = await askIn(worktree.path, args, { withStderr: true });
    if (!said.ok) throw mergeError(name, `git ${args[0]} failed in ${worktree.path}: ${said.text}`);
  }
}
