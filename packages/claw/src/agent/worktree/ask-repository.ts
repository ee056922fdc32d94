import { LIMITS } from "@claw/contract";
import { runGit } from "../../process/index.ts";
import type { WorkerTree } from "./worker-tree.ts";

/** What git said, or that it did not come to an exit. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly code: number | null;
  readonly text: string;
}

export interface AskOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly settings?: Readonly<Record<string, string>>;
  readonly stdin?: number;
  /** Whether what git complains about is part of the answer. */
  readonly withStderr?: boolean;
}

type Args = readonly [string, ...string[]];

/**
 * Asks git about the repository of a worktree, outside of the sandbox, and never rejects. The repository is named by
 * its own folder: nothing that a worker wrote says where it is.
 */
export async function askRepository(tree: WorkerTree, args: Args, options: AskOptions = {}): Promise<GitAnswer> {
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

/** Where the worker's branch stands in the repository; null when it is not there. */
export async function branchTip(tree: WorkerTree): Promise<string | null> {
  const { ok, text } = await askRepository(tree, ["rev-parse", "--verify", "--quiet", `${tree.ref}^{commit}`]);
  return ok && OBJECT_NAME.test(text) ? text : null;
}
