import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { quoteObjects } from "../../process/index.ts";
import { entryAt } from "../permissions/entry-at.ts";
import type { ImportLimits, Inside } from "./ask-inside.ts";
import { askInside } from "./ask-inside.ts";
import type { RepositoryQuestion, GitAnswer } from "./ask-repository.ts";
import { askRepository, branchTip, OBJECT_NAME } from "./ask-repository.ts";
import type { TipRecord } from "./tip-record.ts";
import { readTipRecord, writeTipRecord } from "./tip-record.ts";
import type { WorkerTree } from "./worker-tree.ts";
import { privateFolder } from "./worker-tree.ts";

/** Result of taking the commits of a private folder. */
export type Import =
  | { readonly kind: "nothing" }
  | { readonly kind: "moved"; readonly tip: string }
  /** The branch is unchanged; the commits stay in the private folder. */
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Settings for the git that reads a worker's objects: large files are not held in memory, and taken objects are synced
 * to disk.
 */
const CAREFUL = { "core.bigFileThreshold": "16m", "core.fsync": "committed", "gc.auto": "0" };
const IMPORT_LIMITS: ImportLimits = {
  bytes: LIMITS.worktreeImportBytes,
  memoryBytes: LIMITS.worktreeImportMemoryBytes,
};
/** Limits every single piece of memory of git, whatever sizes a pack claims. */
const memory = ({ limits = IMPORT_LIMITS }: Inside): NodeJS.ProcessEnv => ({
  GIT_ALLOC_LIMIT: String(limits.memoryBytes),
});
/** The same rule as in git: few objects become files, many objects stay a pack. */
const FEW_OBJECTS = 100;
const COUNT_AT = 8;

const unreadable = ({ limits = IMPORT_LIMITS }: Inside): string =>
  `its objects cannot be read, or take more than ${limits.bytes} bytes`;

const refused = (reason: string): Import => ({ kind: "refused", reason });

const lastLine = ({ text }: GitAnswer): string => text.split("\n").at(-1)?.slice(0, 200) ?? "";

/** Runs `run` with a file opened for reading, and closes the file. */
async function reading<T>(path: string, run: (fd: number) => Promise<T>): Promise<T> {
  const fd = openSync(path, "r");
  try {
    return await run(fd);
  } finally {
    closeSync(fd);
  }
}

/** Lets git, in the sandbox, pack the commits that the repository does not have. */
async function exportPack(
  inside: Inside,
  tip: string,
  known: readonly string[],
  folder: string,
): Promise<string | null> {
  const [wanted, pack] = [join(folder, "wanted"), join(folder, "pack")];
  writeFileSync(wanted, [tip, ...known.map((name) => `^${name}`), ""].join("\n"));
  const fd = openSync(pack, "wx", 0o600);
  try {
    const { bytes: maxBytes } = inside.limits ?? IMPORT_LIMITS;
    const file = { fd, maxBytes };
    const args = ["pack-objects", "--revs", "--stdout", "--quiet", "--delta-base-offset"] as const;
    const packed = await reading(wanted, (stdin) => askInside(inside, args, { stdin, file }));
    return packed.ok ? pack : null;
  } finally {
    closeSync(fd);
  }
}

function countObjects(pack: string): number {
  const head = Buffer.alloc(COUNT_AT + 4);
  const fd = openSync(pack, "r");
  try {
    return readSync(fd, head) < head.length ? 0 : head.readUInt32BE(COUNT_AT);
  } finally {
    closeSync(fd);
  }
}

function takePack(inside: Inside, pack: string, options: RepositoryQuestion): Promise<GitAnswer> {
  const { tree, limits = IMPORT_LIMITS } = inside;
  const most = `--max-input-size=${limits.bytes}`;
  const isFew = options.env === undefined && countObjects(pack) < FEW_OBJECTS;
  const args = isFew
    ? (["unpack-objects", "-q", "--strict", most] as const)
    : (["index-pack", "--stdin", "--strict", most] as const);
  const env = { ...memory(inside), ...options.env };
  return reading(pack, (stdin) => askRepository(tree, args, { env, settings: CAREFUL, stdin, withStderr: true }));
}

/**
 * Why a pack is refused; null when the whole pack is sound. The check puts the objects into a folder that the
 * repository does not see.
 */
async function objectTo(inside: Inside, pack: string, folder: string, move: Move): Promise<string | null> {
  const { tree } = inside;
  const { tip, from, record } = move;
  mkdirSync(folder);
  const env = {
    GIT_OBJECT_DIRECTORY: folder,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteObjects(join(tree.common, "objects")),
    ...memory(inside),
  };
  const taken = await takePack(inside, pack, { env });
  if (!taken.ok) return `its objects are not sound: ${lastLine(taken)}`;
  const whole = await askRepository(tree, ["rev-list", "--objects", "--quiet", tip, "--not", "--all"], { env });
  if (!whole.ok) return "objects are missing, or it is no commit";
  const follows = async (commit: string): Promise<boolean> =>
    (await askRepository(tree, ["merge-base", "--is-ancestor", commit, tip], { env })).ok;
  if (!(await follows(record.base))) return `it does not follow ${record.base.slice(0, 12)}, where the worktree began`;
  // A worker may rewrite its own commits. Commits that others put on the branch must stay.
  const isOwn = from === record.tip || from === record.moving;
  if (isOwn || (await follows(from))) return null;
  return `the branch was moved to ${from.slice(0, 12)} meanwhile, which it does not follow`;
}

interface Move {
  readonly tip: string;
  /** Commit of the branch in the repository. */
  readonly from: string;
  readonly record: TipRecord;
}

async function land(inside: Inside, pack: string, { tip, from, record }: Move): Promise<Import> {
  const { tree } = inside;
  const taken = await takePack(inside, pack, {});
  if (!taken.ok) return refused(`the repository did not take it: ${lastLine(taken)}`);
  writeTipRecord(tree, { ...record, moving: tip });
  const message = `claw: commits of ${tree.name}`;
  const args = ["update-ref", "--no-deref", "-m", message, tree.ref, tip, from] as const;
  const moved = await askRepository(tree, args, { withStderr: true });
  return moved.ok ? finish(tree, { ...record, tip, moving: null }) : refused(lastLine(moved));
}

/** Updates the repository's index of the worktree, so that git outside the sandbox shows only real changes. */
async function finish(tree: WorkerTree, record: TipRecord): Promise<Import> {
  const env = { GIT_DIR: tree.own, GIT_WORK_TREE: tree.root };
  await askRepository(tree, ["reset", "--quiet"], { env });
  writeTipRecord(tree, record);
  return { kind: "moved", tip: record.tip };
}

const TRIAL = "import-";

/** Removes the folders of killed imports. Only the caller's import is running. */
function removeTrials({ place }: WorkerTree): void {
  for (const name of readdirSync(place).filter((each) => each.startsWith(TRIAL))) {
    rmSync(join(place, name), { recursive: true, force: true });
  }
}

async function bring(inside: Inside, move: Move): Promise<Import> {
  const { tree } = inside;
  const folder = mkdtempSync(join(tree.place, TRIAL));
  try {
    const pack = await exportPack(inside, move.tip, [...new Set([move.record.base, move.from])], folder);
    if (pack === null) return refused(unreadable(inside));
    const objection = await objectTo(inside, pack, join(folder, "objects"), move);
    return objection === null ? await land(inside, pack, move) : refused(objection);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether git can read the branch safely: git would wait for a pipe, and follow a link. */
function isReadable(tree: WorkerTree): boolean {
  const paths = ["HEAD", "packed-refs", tree.ref].map((name) => join(privateFolder(tree), name));
  return paths.every((path) => entryAt(path)?.isFile() ?? true);
}

/**
 * Takes the commits on the worker's branch from the private folder into the repository. Moves that branch and no other
 * reference. Git reads the private folder only in the sandbox. Outside the sandbox git reads a pack, and names every
 * object anew by its content. The next call completes an interrupted import. Calls for one worktree must take turns.
 */
export async function importCommits(inside: Inside): Promise<Import> {
  const { tree } = inside;
  removeTrials(tree);
  const record = readTipRecord(tree);
  const from = await branchTip(tree);
  if (record === null || from === null) return refused("the branch is not there, or claw's record of it is lost");
  if (!isReadable(tree)) return refused("its files in the private folder are no regular files");
  const question = ["rev-parse", "--verify", "--quiet", tree.ref] as const;
  const asked = await askInside(inside, question, { timeoutMs: LIMITS.diffTimeoutMs });
  const tip = asked.text;
  if (!asked.ok || !OBJECT_NAME.test(tip) || tip.length !== from.length) return refused(`${tree.ref} is no commit`);
  if (tip === from) {
    if (record.tip === tip && record.moving === null) return { kind: "nothing" };
    return finish(tree, { ...record, tip, moving: null });
  }
  // The private folder has no new commit; others moved the repository's branch.
  if (tip === record.tip) return { kind: "nothing" };
  return bring(inside, { tip, from, record });
}
