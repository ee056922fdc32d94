import { sep } from "node:path";
import { codeCacheHome, stateHome, unlessRefused } from "../../files/index.ts";
import { globPattern } from "./glob-pattern.ts";
import { resolvePath } from "./resolve-path.ts";
import { pathsMeant } from "./shell/paths-meant.ts";
import type { Workspace } from "./workspace.ts";
import { isInside } from "./workspace.ts";

/** The folder in which the daemon of a workspace keeps its sockets, its log and its workers. */
export const CLAWS = ".claws";

/** Characters that some disks leave out of names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether a name is `.claws` on the most lenient disk: in any case, without ignored characters. */
export const isClaws = (name: string): boolean =>
  name.replaceAll(IGNORED, "").normalize("NFKC").toLowerCase() === CLAWS;

/** Whether the `.claws` at index `at` leads to the worktree of a worker that holds this workspace. */
function isOwnTree(parts: readonly string[], at: number, { root, extraFolders }: Workspace): boolean {
  if (parts[at + 1] !== "worktrees" || parts[at + 2] === undefined) return false;
  const tree = parts.slice(0, at + 3).join(sep);
  return [root, ...extraFolders].some((folder) => isInside(folder, tree));
}

/** The folder of every daemon's secrets, free of links. */
export const secretsHome = (): string => resolvePath(stateHome(), { cwd: "/" });

/** Where compiled code is, free of links. Undefined for a folder that this user cannot reach: claw runs no code from there. */
function codeHome(): string | undefined {
  const home = codeCacheHome();
  return home === undefined ? undefined : unlessRefused(() => resolvePath(home, { cwd: "/" }));
}

/** Folders of claw outside of every workspace, free of links: secrets, and the compiled code that each claw runs. */
export function privateHomes(): string[] {
  const code = codeHome();
  return code === undefined ? [secretsHome()] : [secretsHome(), code];
}

/**
 * Tells which paths belong to claw itself; no tool may reach them in any mode. These are the `.claws` folders, except a
 * worker's worktree that holds this workspace, the secrets of daemons, and compiled code. Paths are absolute and free of
 * links.
 */
export function keepsPrivate(workspace: Workspace): (path: string) => boolean {
  const homes = privateHomes();
  return (path) => {
    if (homes.some((home) => isInside(path, home))) return true;
    const parts = path.split(sep);
    return parts.some((name, at) => isClaws(name) && !isOwnTree(parts, at, workspace));
  };
}

const SHELL_PATTERN = /[*?[]/;
const PRIVATE_BELOW_HOME = /(?:^|\/)(?:\.local\/state\/claw|(?:\.cache|Library\/Caches)\/claw\/code)(?:\/|$)/i;

/** Whether a shell pattern could match the daemon's folder. In a pattern, only a dot matches the leading dot. */
function couldMean(name: string): boolean {
  if (!name.startsWith(".") || !SHELL_PATTERN.test(name)) return false;
  return globPattern(name.toLowerCase().replaceAll(/\[[^[\]]*\]/g, "?")).test(CLAWS);
}

/**
 * Whether the words of a command line name a path of claw itself. Names that are put together only when the command
 * runs are not found; the sandbox hides those paths.
 */
export function meansPrivate(command: string, workspace: Workspace): boolean {
  const isPrivate = keepsPrivate(workspace);
  return pathsMeant(command, "read", workspace).some(
    (path) => isPrivate(path) || PRIVATE_BELOW_HOME.test(path) || path.split(sep).some(couldMean),
  );
}
