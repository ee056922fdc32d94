import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import { acquireLock, nodeFileSystem, readSmallFile } from "../../files/index.ts";
import { entryAt } from "../permissions/entry-at.ts";
import type { SandboxState } from "../sandbox/probe-sandbox.ts";
import type { GitView, Sandbox } from "../sandbox/sandbox.ts";
import type { Inside } from "./ask-inside.ts";
import { askInside, privateViewOf } from "./ask-inside.ts";
import { branchTip } from "./ask-repository.ts";
import type { Import } from "./import-commits.ts";
import { importCommits } from "./import-commits.ts";
import { makePrivateFolder } from "./make-private-folder.ts";
import { readTipRecord, writeTipRecord } from "./tip-record.ts";
import type { WorkerTree } from "./worker-tree.ts";
import { privateFolder, workerTreeAt } from "./worker-tree.ts";

/**
 * Git for the commands of a worker in a worktree. Commands commit to a private folder, and claw takes the commits from
 * there.
 */
export interface CommandGit {
  /** Called before a command runs in the sandbox. Resolves with the git folders for the command; null without git. */
  prepare(): Promise<GitView | null>;
  /** Called when the command has ended. Resolves with notes for people and the model. Never rejects. */
  take(): Promise<string[]>;
}

/**
 * Runs `act` while no other process takes commits from the same private folder. Null when another process keeps the
 * lock.
 */
async function withTreeLock<T>({ place }: WorkerTree, act: () => Promise<T>): Promise<T | null> {
  const request = { path: join(place, "lock"), waitMs: LIMITS.worktreeImportMs };
  const attempt = await acquireLock(nodeFileSystem, request, new AbortController().signal);
  if (attempt.kind === "held") return null;
  try {
    return await act();
  } finally {
    attempt.lock.release();
  }
}

const shortText = (path: string): string | null => {
  const file = entryAt(path)?.isFile() ? readSmallFile(path, LIMITS.settingsBytes) : null;
  return file?.kind === "text" ? file.text.trim() : null;
};

const isOnBranch = (tree: WorkerTree): boolean => shortText(join(privateFolder(tree), "HEAD")) === `ref: ${tree.ref}`;

/**
 * Whether the private folder certainly holds no new commit. Links that a worker may have made there are not followed.
 */
function isUnchanged(tree: WorkerTree): boolean {
  const record = readTipRecord(tree);
  if (record === null || record.moving !== null) return false;
  const folders = ["refs", "refs/heads", "refs/heads/claw"].map((name) => join(privateFolder(tree), name));
  const isPlain = folders.every((path) => entryAt(path)?.isDirectory());
  return isPlain && shortText(join(privateFolder(tree), tree.ref)) === record.tip;
}

/** Gives the private folder the commits that others put on the branch, unless the worker has new commits there. */
async function giveCommits(inside: Inside): Promise<void> {
  const { tree } = inside;
  const [record, tip] = [readTipRecord(tree), await branchTip(tree)];
  if (record === null || tip === null || tip === record.tip) return;
  const moved = await askInside(inside, ["update-ref", tree.ref, tip, record.tip], { writable: true });
  if (!moved.ok) return;
  if (isOnBranch(tree)) await askInside(inside, ["reset", "--quiet"], { writable: true });
  writeTipRecord(tree, { ...record, tip, moving: null });
}

/**
 * Takes the commits from the private folder of a worktree. Null when there is no folder, or another process holds the
 * lock.
 */
export async function takeCommits(inside: Inside): Promise<Import | null> {
  if (!existsSync(inside.tree.place)) return null;
  return withTreeLock(inside.tree, () => importCommits(inside));
}

/** Files that would make git read other settings in the next command. They have no other use. */
const SENDERS = ["commondir", "config.worktree"];

function notesOn(tree: WorkerTree, taken: Import | null): string[] {
  const branch = tree.ref.slice("refs/heads/".length);
  const isBusy = ["rebase-merge", "rebase-apply"].some((name) => existsSync(join(privateFolder(tree), name)));
  const only = `only commits on ${branch} come into the repository`;
  return [
    ...(taken?.kind === "refused"
      ? [`the commits on ${branch} were not taken into the repository: ${taken.reason}`]
      : []),
    ...(isBusy || isOnBranch(tree) ? [] : [`git is not on ${branch}; ${only}: git switch ${branch}, then merge them`]),
  ];
}

export function createCommandGit(tree: WorkerTree, sandbox: () => Sandbox | null): CommandGit {
  let isFirst = true;
  const view = async (inside: Inside): Promise<GitView | null> => {
    const tip = existsSync(tree.place) ? null : await branchTip(tree);
    if (tip !== null) await makePrivateFolder(tree, tip);
    if (!existsSync(tree.place)) return null;
    // Another process may have been killed before it took the commits of a command.
    if (isFirst) await takeCommits(inside);
    isFirst = false;
    const isCurrent = shortText(join(tree.common, tree.ref)) === readTipRecord(tree)?.tip;
    if (!isCurrent) await withTreeLock(tree, () => giveCommits(inside));
    return privateViewOf(tree);
  };
  const take = async (inside: Inside): Promise<string[]> => {
    for (const name of SENDERS) rmSync(join(privateFolder(tree), name), { recursive: true, force: true });
    return notesOn(tree, isUnchanged(tree) ? null : await takeCommits(inside));
  };
  const withSandbox = async <T>(run: (inside: Inside) => Promise<T>, otherwise: T): Promise<T> => {
    const box = sandbox();
    return box === null ? otherwise : run({ tree, sandbox: box });
  };
  return {
    prepare: () =>
      withSandbox(view, null).catch((error: unknown) => {
        if (error instanceof ClawError) return null;
        throw error;
      }),
    take: () =>
      withSandbox(take, []).catch((error: unknown) => [`the commits were not taken: ${String(error).slice(0, 200)}`]),
  };
}

/**
 * Takes the commits that a worker's commands made in a worktree and that a killed process left in the private folder.
 * Resolves with the reason when the commits were not taken; null when none are left. `root` is the top of the worktree.
 */
export async function takeLeftCommits(root: string, probe: () => SandboxState): Promise<string | null> {
  const tree = workerTreeAt(root);
  if (tree === null || !existsSync(tree.place) || isUnchanged(tree)) return null;
  const state = probe();
  if (state.kind === "unavailable") return `there is no sandbox to read them in: ${state.reason}`;
  const taken = await takeCommits({ tree, sandbox: state.sandbox });
  if (taken === null) return "another process is taking them";
  return taken.kind === "refused" ? taken.reason : null;
}
