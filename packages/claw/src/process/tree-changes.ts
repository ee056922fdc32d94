import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LIMITS } from "claw-contract";
import { copyIndex } from "./copy-index.ts";
import type { GitRequest } from "./run-git.ts";
import { runGit } from "./run-git.ts";
import { withTrialObjects } from "./trial-objects.ts";

/** A working tree, and the commit that it is compared with. */
export interface ComparedTree {
  readonly path: string;
  readonly base: string;
}

export interface ChangedFile {
  readonly path: string;
  /** Lines; null for a file that is no text. */
  readonly insertions: number | null;
  readonly deletions: number | null;
}

export interface TreeChanges {
  /** Files that differ from the commit, whether or not that is committed; files that git does not know included. */
  readonly files: readonly ChangedFile[];
  /** Files whose changes are not committed. */
  readonly uncommitted: readonly string[];
  /** Newest first. */
  readonly commits: readonly { readonly sha: string; readonly subject: string }[];
}

const MAX_COMMITS = 100;

type Options = Pick<GitRequest, "env" | "stdin"> & { readonly maxOutputBytes?: number };

async function gitText(cwd: string, args: GitRequest["args"], options: Options = {}): Promise<string | null> {
  const limits = { timeoutMs: LIMITS.diffTimeoutMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runGit({ cwd, args, ...limits, ...options }, new AbortController().signal);
  return result.kind === "exited" && result.code === 0 ? result.stdout : null;
}

/** The entries of a list that git ends with NUL; one that was cut off is left out. */
const entriesOf = (text: string): string[] => text.split("\0").slice(0, -1);

/** Reads `--numstat -z --no-renames`. */
export function readNumbers(text: string): ChangedFile[] {
  const count = (field: string | undefined): number | null =>
    field === undefined || field === "-" ? null : Number(field);
  return entriesOf(text).flatMap((entry) => {
    const [insertions, deletions, ...path] = entry.split("\t");
    return path.length === 0
      ? []
      : [{ path: path.join("\t"), insertions: count(insertions), deletions: count(deletions) }];
  });
}

/** Reads `status --porcelain -z --no-renames`. */
const readStatus = (text: string): string[] => entriesOf(text).map((entry) => entry.slice(3));

const readCommits = (text: string): { sha: string; subject: string }[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ sha: line.slice(0, line.indexOf(" ")), subject: line.slice(line.indexOf(" ") + 1) }));

/** Calls a function with variables under which git counts files that it does not know as new. The repository stays as it is. */
function withNewFiles<T>(path: string, run: (env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  return withTrialObjects(path, async (trial) => {
    const [index, list] = [join(trial.folder, "index"), join(trial.folder, "files")];
    const own = await gitText(path, ["rev-parse", "--git-path", "index"]);
    const place = own === null ? null : resolve(path, own.trim());
    if (place !== null && existsSync(place)) copyIndex(place, index);
    const env = { ...trial.env, GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: "1" };
    const unknown = await gitText(path, ["ls-files", "-z", "--others", "--exclude-standard"], { env });
    const entries = entriesOf(unknown ?? "").filter((entry) => !entry.endsWith("/"));
    if (entries.length > 0) {
      writeFileSync(list, entries.map((entry) => `${entry}\0`).join(""));
      const stdin = openSync(list, "r");
      const args = ["add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"] as const;
      await gitText(path, args, { env, stdin }).finally(() => closeSync(stdin));
    }
    return run(env);
  });
}

/** What was done in a tree since a commit. Null when git does not say. */
export async function treeChanges({ path, base }: ComparedTree): Promise<TreeChanges | null> {
  const numbers = await withNewFiles(path, (env) =>
    gitText(path, ["diff", "--numstat", "-z", "--no-renames", base], { env }),
  );
  const status = await gitText(path, ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"]);
  const log = await gitText(path, ["log", `--max-count=${MAX_COMMITS}`, "--format=%H %s", `${base}..HEAD`]);
  if (numbers === null || status === null || log === null) return null;
  return { files: readNumbers(numbers), uncommitted: readStatus(status), commits: readCommits(log) };
}

/** The text of all changes in a tree since a commit, cut at a number of bytes. Null when git does not say. */
export async function treeDiff({ path, base }: ComparedTree, maxBytes: number): Promise<string | null> {
  return withNewFiles(path, (env) => gitText(path, ["diff", "--no-color", base], { env, maxOutputBytes: maxBytes }));
}
