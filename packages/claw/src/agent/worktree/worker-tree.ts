import { dirname, join } from "node:path";
import { LIMITS } from "claw-contract";
import { readSmallFile } from "../../files/index.ts";
import { entryAt } from "../permissions/entry-at.ts";
import { gitFolderAt } from "../permissions/git-folder.ts";
import { isClaws } from "../permissions/private-places.ts";

/** A worktree that the daemon made for a worker, on a branch of the same name. */
export interface WorkerTree {
  readonly name: string;
  /** Top of the worktree; absolute and free of links. */
  readonly root: string;
  /** The branch, as a reference. */
  readonly ref: string;
  /** The repository's git folder for this worktree, inside `common/worktrees`. */
  readonly own: string;
  /** The repository's own git folder. */
  readonly common: string;
  /** Folder for the worker's private git folder and claw's files about it. Commands see only the private git folder. */
  readonly place: string;
}

const WORKER_NAME = /^[\w][\w.-]*$/;

/** The worker's worktree with `root` as top; null when `root` is no such top, or another branch is checked out. */
export function workerTreeAt(root: string): WorkerTree | null {
  const [trees, name] = [dirname(root), root.slice(dirname(root).length + 1)];
  const claws = dirname(trees);
  const isPlaced = trees === join(claws, "worktrees") && isClaws(claws.slice(dirname(claws).length + 1));
  const folder = isPlaced && WORKER_NAME.test(name) ? gitFolderAt(root) : null;
  if (folder === null || folder.own === folder.common) return null;
  const ref = `refs/heads/claw/${name}`;
  const head = readSmallFile(join(folder.own, "HEAD"), LIMITS.settingsBytes);
  if (head.kind !== "text" || head.text.trim() !== `ref: ${ref}`) return null;
  return { name, root, ref, ...folder, place: join(claws, "git", name) };
}

/**
 * The worker's worktree that holds a folder: the folder is the top, or lies below the top with no other repository
 * between the two. Null when no worktree holds the folder.
 */
export function workerTreeOf(folder: string): WorkerTree | null {
  const tree = workerTreeAt(folder);
  const above = dirname(folder);
  if (tree !== null || above === folder || entryAt(join(folder, ".git")) !== null) return tree;
  return workerTreeOf(above);
}

/** The private git folder: the only part of `place` that commands see and write. */
export const privateFolder = ({ place }: WorkerTree): string => join(place, "folder");
