import { LIMITS } from "claw-contract";
import { runGit } from "../../process/index.ts";
import type { WorkerTree } from "./worker-tree.ts";

/** Output and exit code of git; `code` is null when git did not exit, and `text` says why. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly code: number | null;
  readonly text: string;
}

export interface RepositoryQuestion {
  readonly env?: NodeJS.ProcessEnv;
  readonly settings?: Readonly<Record<string, string>>;
  readonly stdin?: number;
  /** Whether the answer includes git's stderr. */
  readonly withStderr?: boolean;
}

type Args = readonly [string, ...string[]];

/**
 * Runs git in the repository of a worktree, outside the sandbox, and never rejects. `GIT_DIR` names the repository's
 * folder, so no file that a worker wrote decides which repository is used.
 */
export async function askRepository(
  tree: WorkerTree,
  args: Args,
  options: RepositoryQuestion = {},
): Promise<GitAnswer> {
  const { common } = tree;
  const env = { GIT_NO_REPLACE_OBJECTS: "1", GIT_DIR: common, ...options.env };
  const limits = { timeoutMs: LIMITS.worktreeImportMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const request = { ...options, args, cwd: common, env, ...limits };
  const result = await runGit(request, new AbortController().signal);
  if (result.kind !== "exited") return { ok: false, code: null, text: result.kind.replace("-", " ") };
  return { ok: result.code === 0, code: result.code, text: result.stdout.trim() };
}

/** The name of an object, as git writes it. */
export const OBJECT_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Commit of the worker's branch in the repository; null when the branch does not exist. */
export async function branchTip(tree: WorkerTree): Promise<string | null> {
  const { ok, text } = await askRepository(tree, ["rev-parse", "--verify", "--quiet", `${tree.ref}^{commit}`]);
  return ok && OBJECT_NAME.test(text) ? text : null;
}
