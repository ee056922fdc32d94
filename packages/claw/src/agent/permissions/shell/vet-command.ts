import { join, resolve } from "node:path";
import { isFolderAt, entryAt } from "../entry-at.ts";
import { findGitFolder, holdsRepositories, startsPrograms } from "../git-folder.ts";
import { resolvePath } from "../resolve-path.ts";
import type { CommandForm } from "./command-form.ts";
import { pathsIn, readCommandArguments } from "./command-form.ts";
import { GIT_COMMANDS } from "./git-commands.ts";
import { READ_COMMANDS, WRITE_COMMANDS } from "./read-commands.ts";
import type { Segment } from "./split-command.ts";
import type { Objection, VetContext } from "./vet-paths.ts";
import { vetPaths } from "./vet-paths.ts";
import { vetWrites } from "./vet-writes.ts";

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Tests and actions of `find` that start no program and write no file. */
const ALONE = wordSet(
  "-print -print0 -empty -depth -mount -xdev -not -a -o -and -or -daystart -readable -writable -executable -prune -ls -quit -true -false ( ) ! ,",
);
const WITH_VALUE = wordSet(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -size -mtime -mmin -ctime -cmin -atime -amin -maxdepth -mindepth -perm -user -group -links -printf -newermt",
);

/** Objects to `find` unless it only lists files in the workspace, without following links. */
function vetFind(words: readonly string[], context: VetContext): Objection {
  const firstTest = words.findIndex((word) => /^[-(!,]/.test(word));
  const paths = firstTest < 0 ? words : words.slice(0, firstTest);
  const tests = firstTest < 0 ? [] : words.slice(firstTest);
  for (let at = 0; at < tests.length; at += 1) {
    const test = tests[at] as string;
    if (WITH_VALUE.has(test)) at += 1;
    else if (!ALONE.has(test)) return `find ${test} is not known to be harmless`;
  }
  return vetPaths(paths, context);
}

/** Flags with which a command goes through whole folders, also folders that the line does not name. Null: always. */
const GOES_THROUGH: Readonly<Record<string, RegExp | null>> = {
  grep: /^(?:-[^-]*r|--recursive)/,
  rg: /^(?:-[^-]*[u.]|--hidden|--unrestricted)/,
  cp: /^(?:-[^-]*[rRa]|--recursive|--archive)/,
  mv: null,
};

/**
 * Whether a command would go through a folder that holds `.claws`, the daemon's folder. The files in `.claws` must not
 * be shown or moved.
 */
function findsPrivate([name, ...words]: readonly string[], { cwd }: VetContext): boolean {
  const flag = name !== undefined && Object.hasOwn(GOES_THROUGH, name) ? GOES_THROUGH[name] : undefined;
  if (flag === undefined || (flag !== null && !words.some((word) => flag.test(word)))) return false;
  const folders = words.map((word) => resolve(cwd, word)).filter((path) => isFolderAt(path));
  return (folders.length === 0 ? [cwd] : folders).some((folder) => entryAt(join(folder, ".claws")) !== null);
}

const UNKNOWN_FLAG = "it has arguments that are not known to be harmless";

function vetRead(name: string, form: CommandForm, words: readonly string[], context: VetContext): Objection {
  const given = readCommandArguments(form, words);
  if (given === null) return UNKNOWN_FLAG;
  if (name === "date" && given.operands.some((operand) => !operand.startsWith("+"))) return "it could set the clock";
  const paths = pathsIn(form, given);
  const objection = vetPaths(paths, context);
  if (objection !== null || name !== "diff") return objection;
  // `diff` of folders would follow links.
  return paths.some((path) => isFolderAt(resolvePath(path, context))) ? "it compares folders" : null;
}

/** Commands of git that also run git in submodules. */
const LOOKS_BELOW = new Set(["status", "diff"]);

function vetGit(words: readonly string[], context: VetContext): Objection {
  const [name = "", ...rest] = words[0] === "--no-pager" ? words.slice(1) : words;
  const form = Object.hasOwn(GIT_COMMANDS, name) ? GIT_COMMANDS[name] : undefined;
  if (form === undefined) return `git ${name} is not among the commands that are known to be harmless`;
  if (context.isUnsettled === true) return "it asks git behind a command that could change the repository";
  const given = readCommandArguments(form, rest);
  if (given === null) return UNKNOWN_FLAG;
  if (name === "branch" && given.operands.length > 0 && !given.flags.includes("--list")) {
    return "it could make a branch";
  }
  if (rest.some((word) => word.includes("%G"))) return "its format starts another program";
  const folder = findGitFolder(context.cwd, context.workspace.root);
  if (folder === null) return "there is no repository in the workspace that can be relied on";
  if (startsPrograms(folder)) return "the repository's settings name programs that git would start";
  if (LOOKS_BELOW.has(name) && holdsRepositories(folder)) return "there may be repositories in the repository";
  return vetPaths(pathsIn(form, given), context);
}

/** Objects to one command of a line unless the program, the flags and the paths are known to be harmless. */
export function vetSegment({ words: [name, ...rest] }: Segment, context: VetContext): Objection {
  if (findsPrivate([name, ...rest], context)) return `${name} could find files of claw's own`;
  if (name === "git") return vetGit(rest, context);
  if (name === "find") return vetFind(rest, context);
  const readForm = Object.hasOwn(READ_COMMANDS, name) ? READ_COMMANDS[name] : undefined;
  if (readForm !== undefined) return vetRead(name, readForm, rest, context);
  const writeForm = Object.hasOwn(WRITE_COMMANDS, name) ? WRITE_COMMANDS[name] : undefined;
  if (writeForm === undefined) return `${name} is not among the commands that are known to be harmless`;
  if (!context.isWritable || context.isUnsettled === true) return `${name} changes files`;
  return vetWrites(name, readCommandArguments(writeForm, rest), context);
}
