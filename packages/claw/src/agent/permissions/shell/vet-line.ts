import { resolve } from "node:path";
import { resolvePath } from "../resolve-path.ts";
import { isInWorkspace } from "../workspace.ts";
import { WRITE_COMMANDS } from "./read-commands.ts";
import type { Segment } from "./split-command.ts";
import { vetSegment } from "./vet-command.ts";
import type { Objection, VetContext } from "./vet-paths.ts";

/** Commands of the shell that change the meaning of later words, or the folder in which later commands run. */
const CHANGES_SHELL = new Set(
  ". alias builtin cd command declare enable eval exec export hash let local mapfile popd printf pushd read readarray readonly set shopt source trap typeset umask unalias unset".split(
    " ",
  ),
);

/** The folder that `cd` leads to; null when the folder is not known to be in the workspace. */
function folderAfter(words: readonly string[], { workspace, cwd }: VetContext): string | null {
  const [, target] = words;
  if (words.length !== 2 || target === undefined || target.startsWith("-")) return null;
  const real = resolvePath(target, { cwd });
  // For `link/..` the shell goes to the folder that holds the link; the kernel goes to the parent of the link's target.
  const logical = resolvePath(resolve(cwd, target), { cwd });
  return real === logical && isInWorkspace(real, workspace) ? real : null;
}

interface Start {
  readonly cwd: string;
  readonly rest: readonly Segment[];
}

/** Follows each `cd … &&` at the start of a line; null when a folder is not known to be in the workspace. */
function followFolders(segments: readonly Segment[], start: VetContext): Start | null {
  let { cwd } = start;
  for (const [index, { words }] of segments.entries()) {
    if (words[0] !== "cd" || segments[index + 1]?.after !== "&&") return { cwd, rest: segments.slice(index) };
    const folder = folderAfter(words, { ...start, cwd });
    if (folder === null) return null;
    cwd = folder;
  }
  return { cwd, rest: [] };
}

/** The commands of a line in groups. A group is one pipe, whose commands run at the same time. */
function pipelines(segments: readonly Segment[]): Segment[][] {
  const all: Segment[][] = [];
  for (const segment of segments) {
    if (segment.after === "|") all.at(-1)?.push(segment);
    else all.push([segment]);
  }
  return all;
}

/**
 * Each command is vetted with the files as they are now. So no command may run after, or at the same time as, a command
 * that changes files.
 */
function vetOrder(segments: readonly Segment[], isAllowed: (segment: Segment) => boolean): Objection {
  const isChange = (segment: Segment): boolean =>
    Object.hasOwn(WRITE_COMMANDS, segment.words[0]) && !isAllowed(segment);
  const early = segments.slice(0, -1).find(isChange);
  if (early !== undefined) return `${early.words[0]} changes files before the rest of the line has run`;
  const last = segments.at(-1);
  return last !== undefined && isChange(last) && last.after === "|" ? `${last.words[0]} changes files in a pipe` : null;
}

/**
 * Objects to a line unless each command is harmless or `isAllowed` accepts the command. The effect of an accepted
 * command is unknown: other commands in the same pipe, or after it, may name no files.
 */
export function vetLine(
  segments: readonly Segment[],
  start: VetContext,
  isAllowed: (segment: Segment) => boolean = () => false,
): Objection {
  const begin = followFolders(segments, start);
  if (begin === null) return "it changes into a folder that is not known to be in the workspace";
  const disorder = vetOrder(begin.rest, isAllowed);
  if (disorder !== null) return disorder;
  let isUnsettled = false;
  let isOtherShell = false;
  for (const pipeline of pipelines(begin.rest)) {
    const allowed = pipeline.filter(isAllowed);
    isUnsettled ||= allowed.length > 0;
    for (const segment of pipeline) {
      if (allowed.includes(segment)) continue;
      if (isOtherShell) return `${segment.words[0]} may be another command by then`;
      const objection = vetSegment(segment, { ...start, cwd: begin.cwd, isUnsettled });
      if (objection !== null) return objection;
    }
    isOtherShell ||= allowed.some(({ words }) => CHANGES_SHELL.has(words[0]));
  }
  return null;
}
