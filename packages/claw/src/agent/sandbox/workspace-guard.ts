import { mkdirSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { ClawError } from "@claw/contract";
import { PRIVATE_FOLDER, randomSuffix, withFileErrors } from "../../files/index.ts";
import { entryAt } from "../permissions/entry-at.ts";
import { gitFolderAt, startsPrograms } from "../permissions/git-folder.ts";
import type { Workspace } from "../permissions/workspace.ts";
import { openOutputsFolder } from "./outputs-folder.ts";
import type { Removal } from "./sandbox.ts";

/** What must not come into being behind a command's back. Where it is there already it is mounted read-only. */
const WATCHED = [".claw.json", ".claws", ".git/hooks", ".git/config.worktree", ".git/commondir"];

type Before = { readonly kind: "absent" | "there" } | { readonly kind: "link"; readonly target: string };

function look(path: string): Before {
  const stats = entryAt(path);
  if (stats === null) return { kind: "absent" };
  return stats.isSymbolicLink() ? { kind: "link", target: readlinkSync(path) } : { kind: "there" };
}

const isSame = (before: Before, now: Before): boolean =>
  before.kind === now.kind && (before.kind !== "link" || (now.kind === "link" && before.target === now.target));

/** Whether a repository that appeared would start programs when somebody else asks git about the folder. */
function isArmed(root: string): boolean {
  const folder = gitFolderAt(root);
  return folder === null || folder.own !== join(root, ".git") || startsPrograms(folder);
}

/** Whether git would take the folder itself for a repository, settings and all. */
function isRepository(root: string): boolean {
  const has = (name: string): boolean => entryAt(join(root, name)) !== null;
  return has("HEAD") && ((has("objects") && has("refs")) || has("commondir"));
}

/** The folder for what is taken away; a link in its place must not keep anything from being taken. */
function findRoom(root: string): string {
  try {
    return openOutputsFolder(root);
  } catch (error) {
    if (error instanceof ClawError) return root;
    throw error;
  }
}

function moveAway(path: string, root: string): Removal {
  const movedTo = join(findRoom(root), `removed-${relative(root, path).replaceAll("/", "-")}-${randomSuffix()}`);
  renameSync(path, movedTo);
  return { path, movedTo };
}

/** Puts one path back to what it was before, as far as something new stands there. */
function restore(path: string, before: Before, root: string): Removal[] {
  const now = look(path);
  if (before.kind === "there" || isSame(before, now)) return [];
  const removed = now.kind === "absent" ? [] : [moveAway(path, root)];
  if (before.kind === "link") symlinkSync(before.target, path);
  return removed;
}

function guardFolder(root: string): () => Removal[] {
  // claw keeps its own files there, so it cannot be told later who made the folder.
  if (look(join(root, ".claw")).kind === "absent") mkdirSync(join(root, ".claw"), { mode: PRIVATE_FOLDER });
  const watched = [".claw", ".git", ...WATCHED].map((name) => ({
    path: join(root, name),
    name,
    before: look(join(root, name)),
  }));
  const wasRepository = isRepository(root);
  const hadGit = look(join(root, ".git")).kind !== "absent";
  return () => {
    const others = watched.filter(({ name, before }) => name !== ".git" || before.kind === "link");
    // The hooks of a new repository are examples, and are moved away like any others.
    const removed = others.flatMap(({ path, before }) => restore(path, before, root));
    if (!wasRepository && isRepository(root)) removed.push(moveAway(join(root, "HEAD"), root));
    const gotGit = !hadGit && look(join(root, ".git")).kind !== "absent";
    return gotGit && isArmed(root) ? [...removed, moveAway(join(root, ".git"), root)] : removed;
  };
}

/** Watches what a command in the sandbox could add to a workspace it may change. */
export function guardWorkspace({ root, extraFolders }: Workspace): () => readonly Removal[] {
  const looks = [root, ...extraFolders].map((folder) => withFileErrors("guard", folder, () => guardFolder(folder)));
  return () => looks.flatMap((settle, index) => withFileErrors("guard", extraFolders[index - 1] ?? root, settle));
}
