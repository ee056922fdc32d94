import type { Objection, VetContext } from "./vet-paths.ts";
import { vetPaths } from "./vet-paths.ts";

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Tests and actions of `find` that start no program and write no file. */
const ALONE = wordSet(
  "-print -print0 -empty -depth -mount -xdev -not -a -o -and -or -daystart -readable -writable -executable -prune -ls -quit -true -false ( ) ! ,",
);
const WITH_VALUE = wordSet(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -size -mtime -mmin -ctime -cmin -atime -amin -maxdepth -mindepth -perm -user -group -links -printf -newermt",
);

/** Objects to `find` unless it only lists files in the workspace, without following links. */
export function vetFind(words: readonly string[], context: VetContext): Objection {
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
