import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exitOnSignals, withTempFolder } from "../bench/temp-folder.ts";
import { buildRevision, removeRevision } from "./build-revision.ts";
import type { WalkFiles } from "./walk/play-spawn.ts";
import { playSpawn } from "./walk/play-spawn.ts";

/**
 * Counts the source files that a worker's start passes, until `ps` shows it done: those with a function that ran, by
 * V8's coverage of every process except the agent's. Uncommitted changes are not counted.
 */
const USAGE = "npm run walk -- [--compare REV] [--list]";

function readArguments() {
  const options = { compare: { type: "string" }, list: { type: "boolean", default: false } } as const;
  try {
    return parseArgs({ options }).values;
  } catch {
    console.error(USAGE);
    process.exit(1);
  }
}

/** The files of a spawn that a publish does not pass. */
const beyondPublish = ({ publish, spawn }: WalkFiles): string[] =>
  [...spawn.keys()].filter((path) => !publish.has(path)).toSorted();

const countWalk = (revision: string): Promise<WalkFiles> =>
  withTempFolder(async (folder) => {
    const tree = join(folder, "tree");
    const work = join(folder, "work");
    mkdirSync(work);
    try {
      buildRevision(revision, tree, { readable: true });
      return await playSpawn(tree, work);
    } finally {
      removeRevision(tree);
    }
  });

const { compare, list } = readArguments();
exitOnSignals();
const counted: number[] = [];
for (const revision of compare === undefined ? ["HEAD"] : ["HEAD", compare]) {
  const walk = await countWalk(revision);
  const beyond = beyondPublish(walk);
  counted.push(beyond.length);
  console.log(
    `${revision}: publish ${walk.publish.size} files, spawn ${walk.spawn.size}, of these ${beyond.length} only spawn`,
  );
  if (list) for (const path of beyond) console.log(`  ${path}  ${[...(walk.spawn.get(path) ?? [])].join(" ")}`);
}
const [now = 0, before] = counted;
if (before !== undefined) console.log(`only spawn: ${Math.round((now / before - 1) * 100)} % files`);
