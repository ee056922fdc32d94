import { basename, join, resolve } from "node:path";
import { ClawError } from "@claw/contract";
import { entryAt, isFolderAt } from "../entry-at.ts";
import { resolveEntry, resolvePath } from "../resolve-path.ts";
import { isInside, isInWorkspace, isProtected } from "../workspace.ts";
import type { CommandArguments } from "./command-form.ts";
import type { Objection, VetContext } from "./vet-paths.ts";

/** A path is judged twice: as the entry it is, and as what a link there leads to; commands differ in which they touch. */
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

/** What a copy or a move would write: the target, and in a folder the name each source gets there. */
function writtenBy(name: string, { flags, operands }: CommandArguments, cwd: string): string[] | string {
  if (name !== "cp" && name !== "mv") return [...operands];
  const target = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (target === undefined || sources.length === 0) return "it has no target";
  const place = resolve(cwd, target);
  const inner =
    isFolderAt(place) && !flags.includes("-T") ? sources.map((source) => join(place, basename(source))) : [];
  const copiesFolders = name === "cp" && flags.some((flag) => /^(-[rRa]|--recursive|--archive)$/.test(flag));
  // Links in a folder that is there already would be written through.
  if (copiesFolders && (inner.length > 0 ? inner : [place]).some((path) => entryAt(path) !== null)) {
    return "it copies into folders that exist";
  }
  return [...(inner.length > 0 ? inner : [target]), ...sources];
}

/** Objects to a command that changes files unless all it changes is in the workspace, and is not protected there. */
export function vetWrites(name: string, given: CommandArguments | null, context: VetContext): Objection {
  if (given === null) return "it has arguments that are not known to be harmless";
  const paths = writtenBy(name, given, context.cwd);
  if (typeof paths === "string") return paths;
  try {
    for (const path of paths) {
      const objection = vetWritten(path, context);
      if (objection !== null) return objection;
    }
    return null;
  } catch (error) {
    if (error instanceof ClawError) return error.message;
    throw error;
  }
}
