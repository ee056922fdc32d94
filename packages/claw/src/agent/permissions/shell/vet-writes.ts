import { basename, join } from "node:path";
import { ClawError } from "claw-contract";
import { entryAt, isFolderAt } from "../entry-at.ts";
import { resolveEntry, resolvePath } from "../resolve-path.ts";
import { isProtected } from "../protected-places.ts";
import { isInside, isInWorkspace } from "../workspace.ts";
import type { CommandArguments } from "./command-form.ts";
import type { Objection, VetContext } from "./vet-paths.ts";

/**
 * A path is vetted twice: the entry itself, and the target of a link there. Some commands touch the first, some the
 * second.
 */
function vetWritten(path: string, { workspace, cwd, isKept }: VetContext): Objection {
  const both = [resolveEntry(path, { cwd }), resolvePath(path, { cwd })];
  if (both.some((real) => !isInWorkspace(real, workspace))) return `${path} is outside of the workspace`;
  if (both.some((real) => isProtected(real, workspace))) return `${path} is protected`;
  if (both.some((real) => isKept?.(real, "read") || isKept?.(real, "write"))) return `${path} is kept by a rule`;
  const holdsRoot = both.some((real) =>
    [workspace.root, ...workspace.extraFolders].some((root) => isInside(root, real)),
  );
  return holdsRoot ? `${path} is the workspace itself` : null;
}

/**
 * Objects to a source of a copy or a move unless the source exists and is no link. The command takes one source after
 * the other: an earlier source could create a later one that is missing, as a way through a link.
 */
function vetSources(sources: readonly string[], cwd: string): Objection {
  for (const source of sources) {
    const stats = entryAt(resolveEntry(source, { cwd }));
    if (stats === null) return `${source} is not there`;
    if (stats.isSymbolicLink()) return `${source} is a link`;
  }
  return null;
}

/** Whether a file has a second name (hard link). A copy onto the file would change the content under both names. */
function hasOtherName(path: string): boolean {
  const stats = entryAt(path);
  return stats !== null && stats.isFile() && stats.nlink > 1;
}

/**
 * Paths that a copy or a move would write: the target or, when the target is a folder, a name in it for each source.
 */
function targetsOf({ flags, operands }: CommandArguments, cwd: string): string[] {
  const target = operands.at(-1) ?? "";
  const place = resolvePath(target, { cwd });
  if (flags.includes("-T") || !isFolderAt(place)) return [target];
  return operands.slice(0, -1).map((source) => join(place, basename(source)));
}

function vetCopy(name: string, given: CommandArguments, cwd: string): Objection {
  const sources = given.operands.slice(0, -1);
  if (sources.length === 0) return "it has no target";
  const targets = targetsOf(given, cwd);
  if (new Set(targets).size < targets.length) return "it puts two files at one place";
  const objection = vetSources(sources, cwd);
  if (objection !== null || name === "mv") return objection;
  const isShared = targets.some((path) => hasOtherName(resolvePath(path, { cwd })));
  if (isShared) return "it copies onto a file with a second name";
  const copiesFolders = given.flags.some((flag) => /^(-[rRa]|--recursive|--archive)$/.test(flag));
  // In a folder that exists already, the copy could write through links.
  const isThere = copiesFolders && targets.some((path) => entryAt(resolveEntry(path, { cwd })) !== null);
  return isThere ? "it copies into folders that exist" : null;
}

/** Objects to a command that changes files unless all it changes is in the workspace, and is not protected there. */
export function vetWrites(name: string, given: CommandArguments | null, context: VetContext): Objection {
  if (given === null) return "it has arguments that are not known to be harmless";
  const { cwd } = context;
  const isCopy = name === "cp" || name === "mv";
  try {
    const objection = isCopy ? vetCopy(name, given, cwd) : null;
    if (objection !== null) return objection;
    const paths = isCopy ? [...targetsOf(given, cwd), ...given.operands.slice(0, -1)] : given.operands;
    return paths.map((path) => vetWritten(path, context)).find((found) => found !== null) ?? null;
  } catch (error) {
    if (error instanceof ClawError) return error.message;
    throw error;
  }
}
