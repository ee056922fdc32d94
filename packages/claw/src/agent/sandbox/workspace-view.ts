import { dirname, join } from "node:path";
import { entryAt } from "../permissions/entry-at.ts";
import { gitFolderAt } from "../permissions/git-folder.ts";
import { resolvePath } from "../permissions/resolve-path.ts";
import type { Workspace } from "../permissions/workspace.ts";
import { isInside, isInWorkspace } from "../permissions/workspace.ts";
import type { Confinement, GitView, KeptFiles } from "./sandbox.ts";

/** What a command may not change though it is in the workspace: settings of claw, and what git would run. */
const LOCKED = [".claw", ".claw.json"];
export const LOCKED_OF_GIT = ["hooks", "config", "config.worktree", "commondir", "modules", "worktrees"];

const readOnly = (path: string): string[] => ["--ro-bind", path, path];

/** Shows something read-only where it really is, if that is in the folder; a link elsewhere leads to nothing anyway. */
function lock(path: string, root: string): string[] {
  if (entryAt(path) === null) return [];
  const place = resolvePath(path, { cwd: root });
  return entryAt(place) !== null && isInside(place, root) ? readOnly(place) : [];
}

function guarded(root: string): string[] {
  const git = join(root, ".git");
  const isOwn = entryAt(git)?.isDirectory() ?? false;
  return [
    // A folder that something is mounted on cannot be moved away to put another in its place.
    ...(isOwn ? ["--bind", git, git] : lock(git, root)),
    ...(isOwn ? LOCKED_OF_GIT.flatMap((name) => lock(join(git, name), root)) : []),
    ...LOCKED.flatMap((name) => lock(join(root, name), root)),
  ];
}

/** The folder of git of a tree that keeps it elsewhere. */
function foreignGit(root: string): string[] {
  const common = gitFolderAt(root)?.common;
  return common === undefined || isInside(common, root) ? [] : readOnly(common);
}

/** What git runs or reads as settings in a private folder, which claw made and commands may not change. */
const LOCKED_OF_PRIVATE = ["config", "hooks"];

/** A private folder of git in the place of the worktree's own, and the objects of the repository. */
function privateGit({ folder, own, objects }: GitView, writable: boolean): string[] {
  const inner = LOCKED_OF_PRIVATE.flatMap((name) => ["--ro-bind", join(folder, name), join(own, name)]);
  return [...readOnly(objects), writable ? "--bind" : "--ro-bind", folder, own, ...(writable ? inner : [])];
}

/** The worktree around a workspace that is a folder of it: git would take files that it cannot see for removed. */
export const treesAround = (root: string, git: GitView | undefined): string[] =>
  git === undefined || git.tree === root || !isInside(root, git.tree) ? [] : [git.tree];

/** Something empty in the place of what is not to be seen. */
function hide(path: string): string[] {
  return entryAt(path)?.isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

/** The folders between a root and a path, outermost first. */
function foldersTo(path: string, root: string): string[] {
  const folder = dirname(path);
  return folder === root || !isInside(folder, root) ? [] : [...foldersTo(folder, root), folder];
}

/** Holds the folders of what is kept where they are: moved elsewhere, no rule would know them again. */
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
    // Before what is guarded, which it would uncover again.
    ...anchor(kept, folders),
    ...shared,
    ...folders.flatMap(guarded),
    ...masks,
    ...own,
  ];
}
