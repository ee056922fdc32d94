import { mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PRIVATE_FOLDER, withFileErrors } from "../../files/index.ts";
import { entryAt } from "../permissions/entry-at.ts";
import { gitDirectoryAt, gitFolderAt, startsPrograms } from "../permissions/git-folder.ts";
import { gitNamedFiles } from "../permissions/git-named-files.ts";
import { resolvePath } from "../permissions/resolve-path.ts";
import type { Workspace } from "../permissions/workspace.ts";
import { isInside, isInWorkspace } from "../permissions/workspace.ts";
import { isBare } from "./git-places.ts";
import type { Aftermath, Confinement, MovedAway, CommandWatch } from "./sandbox.ts";
import { surveyTrees } from "./survey-trees.ts";
import { takeAway } from "./take-away.ts";
import { LOCKED_OF_GIT } from "./workspace-view.ts";

/** Entries that a command must not create. Entries that exist already are mounted read-only. */
const WATCHED = [".claw.json", ".claws", ".git/hooks", ".git/config.worktree", ".git/commondir"];

type Before = { readonly kind: "absent" | "there" } | { readonly kind: "link"; readonly target: string };

function lookAt(path: string): Before {
  const stats = entryAt(path);
  if (stats === null) return { kind: "absent" };
  return stats.isSymbolicLink() ? { kind: "link", target: readlinkSync(path) } : { kind: "there" };
}

const isSameEntry = (before: Before, now: Before): boolean =>
  before.kind === now.kind && (before.kind !== "link" || (now.kind === "link" && before.target === now.target));

/** Whether a new repository would start programs when another process runs git in the folder. */
function isArmed(root: string): boolean {
  const folder = gitFolderAt(root);
  return folder === null || folder.own !== join(root, ".git") || startsPrograms(folder);
}

const isRepository = (root: string): boolean =>
  isBare(new Set(["HEAD", "objects", "refs", "commondir"].filter((name) => entryAt(join(root, name)) !== null)));

/** Restores the state of a path before the command: moves a new entry away, and makes a lost link again. */
function restore(path: string, before: Before, root: string): MovedAway[] {
  const now = lookAt(path);
  if (before.kind === "there" || isSameEntry(before, now)) return [];
  const removed = now.kind === "absent" ? [] : [takeAway(path, root)];
  if (before.kind === "link" && lookAt(path).kind === "absent") symlinkSync(before.target, path);
  return removed;
}

function guardFolder(root: string, named: readonly string[]): () => MovedAway[] {
  // `.claw` is made before the command. claw keeps files there too, so later it would be unclear who made the folder.
  if (lookAt(join(root, ".claw")).kind === "absent") mkdirSync(join(root, ".claw"), { mode: PRIVATE_FOLDER });
  const hadGit = lookAt(join(root, ".git")).kind !== "absent";
  const own = [".claw", ".git", ...WATCHED].map((name) => join(root, name));
  const watched = [...new Set([...own, ...named])].map((path) => ({ path, before: lookAt(path) }));
  const wasRepository = isRepository(root);
  return () => {
    const others = watched.filter(({ path, before }) => path !== join(root, ".git") || before.kind === "link");
    // The hooks of a new repository are examples, and are moved away like any others.
    const removed = others.flatMap(({ path, before }) => restore(path, before, root));
    if (!wasRepository && isRepository(root)) removed.push(takeAway(join(root, "HEAD"), root));
    const gotGit = !hadGit && lookAt(join(root, ".git")).kind !== "absent";
    return gotGit && isArmed(root) ? [...removed, takeAway(join(root, ".git"), root)] : removed;
  };
}

/** Paths in the workspace that git in `root` would read as settings or run, whether or not the files exist. */
function gitFiles(root: string, workspace: Workspace): string[] {
  const folder = gitDirectoryAt(join(root, ".git"));
  if (folder === null) return [];
  const own = isInWorkspace(folder, workspace) ? LOCKED_OF_GIT.map((name) => join(folder, name)) : [];
  return [...own, ...gitNamedFiles(root, folder)].filter((path) => isInWorkspace(path, workspace));
}

/** The real paths of the files that exist, are in the workspace and can be shown read-only. */
function fixable(paths: readonly string[], workspace: Workspace): string[] {
  const roots = [workspace.root, ...workspace.extraFolders];
  const isLocked = (path: string): boolean =>
    roots.some((root) => dirname(path) === join(root, ".git") && LOCKED_OF_GIT.includes(basename(path)));
  const there = paths.filter((path) => entryAt(path) !== null && !isLocked(path));
  const places = there.map((path) => resolvePath(path, { cwd: dirname(path) }));
  return places.filter((path) => isInWorkspace(path, workspace) && !roots.some((root) => isInside(root, path)));
}

/** Calls a function for each folder of a workspace; an error of a file names that folder. */
const forEachFolder = <T>({ root, extraFolders }: Workspace, run: (folder: string) => T): T[] =>
  [root, ...extraFolders].map((folder) => withFileErrors("guard", folder, () => run(folder)));

/** Watches a workspace for entries that a command adds, and finds the files that the command may not see or change. */
export function guardWorkspace(workspace: Workspace, confinement: Confinement): CommandWatch {
  const survey = surveyTrees(workspace, confinement);
  const { hidden, fixed } = survey.kept;
  if (!confinement.writable) {
    return {
      confinement: { ...confinement, kept: { hidden, fixed } },
      settle: () => ({ removed: [], notes: survey.notes }),
    };
  }
  const files = new Map(forEachFolder(workspace, (folder) => [folder, gitFiles(folder, workspace)] as const));
  const looks = new Map(
    forEachFolder(workspace, (folder) => [folder, guardFolder(folder, files.get(folder) ?? [])] as const),
  );
  const named = fixable([...files.values()].flat(), workspace);
  return {
    confinement: { ...confinement, kept: { hidden, fixed: [...fixed, ...named] } },
    settle: (): Aftermath => {
      const found = survey.settle();
      const removed = forEachFolder(workspace, (folder) => looks.get(folder)?.() ?? []).flat();
      return { removed: [...found.removed, ...removed], notes: found.notes };
    },
  };
}
