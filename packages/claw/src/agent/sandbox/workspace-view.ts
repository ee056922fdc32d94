import { dirname, join } from "node:path";
import { entryAt } from "../permissions/entry-at.ts";
import { gitFolderAt } from "../permissions/git-folder.ts";
import { resolvePath } from "../permissions/resolve-path.ts";
import type { Workspace } from "../permissions/workspace.ts";
import { isInside, isInWorkspace } from "../permissions/workspace.ts";
import type { Confinement, GitView, KeptFiles } from "./sandbox.ts";

/** Entries of the workspace that a command may not change: settings of claw, and files that git would read or run. */
export const LOCKED = [".claw", ".claw.json"];
export const LOCKED_OF_GIT = ["hooks", "config", "config.worktree", "commondir", "modules", "worktrees"];

const readOnly = (path: string): string[] => ["--ro-bind", path, path];

/**
 * Shows an entry read-only at its real path, if that is in the folder. A link to elsewhere leads nowhere in the
 * sandbox.
 */
function lock(path: string, root: string): string[] {
  if (entryAt(path) === null) return [];
  const place = resolvePath(path, { cwd: root });
  return entryAt(place) !== null && isInside(place, root) ? readOnly(place) : [];
}

function guarded(root: string): string[] {
  const git = join(root, ".git");
  const isOwn = entryAt(git)?.isDirectory() ?? false;
  return [
    // A command cannot move a mounted folder away and put another folder in its place.
    ...(isOwn ? ["--bind", git, git] : lock(git, root)),
    ...(isOwn ? LOCKED_OF_GIT.flatMap((name) => lock(join(git, name), root)) : []),
    ...LOCKED.flatMap((name) => lock(join(root, name), root)),
  ];
}

/** Shows the git folder of a tree, read-only, when it is outside of the tree. */
function foreignGit(root: string): string[] {
  const common = gitFolderAt(root)?.common;
  return common === undefined || isInside(common, root) ? [] : readOnly(common);
}

/** Entries of a private git folder that git runs or reads as settings. claw made them; commands may not change them. */
const LOCKED_OF_PRIVATE = ["config", "hooks"];

/** Shows a private git folder in the place of the worktree's own, and the objects of the repository. */
function privateGit({ folder, own, objects }: GitView, writable: boolean): string[] {
  const inner = LOCKED_OF_PRIVATE.flatMap((name) => ["--ro-bind", join(folder, name), join(own, name)]);
  return [...readOnly(objects), writable ? "--bind" : "--ro-bind", folder, own, ...(writable ? inner : [])];
}

/** The worktree around a workspace that is a folder in it. git would report files that it cannot see as removed. */
export const treesAround = (root: string, git: GitView | undefined): string[] =>
  git === undefined || git.tree === root || !isInside(root, git.tree) ? [] : [git.tree];

/** Puts an empty folder or file in the place of a hidden entry. */
function hide(path: string): string[] {
  return entryAt(path)?.isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

/** The folders between a root and a path, outermost first. */
function foldersTo(path: string, root: string): string[] {
  const folder = dirname(path);
  return folder === root || !isInside(folder, root) ? [] : [...foldersTo(folder, root), folder];
}

/** Mounts the folders of kept files, so that a command cannot move them: no rule would fit the new paths. */
function anchor({ hidden, fixed }: KeptFiles, roots: readonly string[]): string[] {
  const folders = [...hidden, ...fixed].flatMap((path) => roots.flatMap((root) => foldersTo(path, root)));
  return [...new Set(folders)]
    .filter((folder) => entryAt(folder)?.isDirectory())
    .toSorted()
    .flatMap((folder) => ["--bind", folder, folder]);
}

const NOTHING_KEPT: KeptFiles = { hidden: [], fixed: [] };

/** The part of the flags that shows the workspace. */
export function workspaceView(
  workspace: Workspace,
  { writable, kept = NOTHING_KEPT, git }: Pick<Confinement, "writable" | "kept" | "git">,
): string[] {
  const { root, extraFolders } = workspace;
  const folders = [root, ...extraFolders];
  const isThere = (path: string): boolean => isInWorkspace(path, workspace) && entryAt(path) !== null;
  const masks = [...kept.fixed.filter(isThere).flatMap(readOnly), ...kept.hidden.filter(isThere).flatMap(hide)];
  const shared = git === undefined ? foreignGit(root) : [];
  const own = git === undefined ? [] : privateGit(git, writable);
  const around = treesAround(root, git).flatMap(readOnly);
  if (!writable) return [...around, ...folders.flatMap(readOnly), ...shared, ...masks, ...own];
  return [
    ...around,
    ...folders.flatMap((folder) => ["--bind", folder, folder]),
    // Before `guarded`: mounted later, these folders would uncover the guarded entries.
    ...anchor(kept, folders),
    ...shared,
    ...folders.flatMap(guarded),
    ...masks,
    ...own,
  ];
}
