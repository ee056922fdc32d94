import { LIMITS } from "claw-contract";
import { runGit } from "../../process/index.ts";
import { commandEnvironment } from "../sandbox/command-environment.ts";
import type { GitView, Sandbox } from "../sandbox/sandbox.ts";
import type { GitAnswer } from "./ask-repository.ts";
import type { WorkerTree } from "./worker-tree.ts";
import { privateFolder } from "./worker-tree.ts";

/** Everything needed to run git in a worker's private folder. */
export interface Inside {
  readonly tree: WorkerTree;
  readonly sandbox: Sandbox;
  /** How much one import may take from the private folder; the values of `LIMITS` by default. */
  readonly limits?: ImportLimits;
}

/** How much of a worker's data one import reads. */
export interface ImportLimits {
  /** Largest pack of new objects, in bytes. */
  readonly bytes: number;
  /** Largest single piece of memory that git may allocate, in bytes. */
  readonly memoryBytes: number;
}

export interface InsideOptions {
  /** Whether git may change the worktree and the private folder. */
  readonly writable?: boolean;
  readonly stdin?: number;
  readonly file?: { readonly fd: number; readonly maxBytes: number };
  /** Time limit for git; `LIMITS.worktreeImportMs` by default. */
  readonly timeoutMs?: number;
}

/** The git folders that commands see instead of the repository's own folder. */
export const privateViewOf = (tree: WorkerTree): GitView => ({
  folder: privateFolder(tree),
  own: tree.own,
  objects: `${tree.common}/objects`,
  tree: tree.root,
});

/**
 * Runs git in a worker's private folder and never rejects. Commands of the worker may have written anything there. So
 * git runs like those commands: in the sandbox, with only `PATH` from this process's environment.
 */
export async function askInside(
  { tree, sandbox }: Inside,
  args: readonly [string, ...string[]],
  { writable = false, ...files }: InsideOptions = {},
): Promise<GitAnswer> {
  const workspace = { root: tree.root, extraFolders: [] };
  const result = await runGit(
    {
      args,
      cwd: tree.root,
      env: {
        ...commandEnvironment({ env: { PATH: process.env["PATH"] }, workspace, manner: "confined" }),
        LC_ALL: "C",
      },
      inside: (argv) => sandbox.wrap(argv, { cwd: tree.root, writable, git: privateViewOf(tree) }),
      timeoutMs: LIMITS.worktreeImportMs,
      maxOutputBytes: LIMITS.commandOutputBytes,
      ...files,
    },
    new AbortController().signal,
  );
  if (result.kind !== "exited") return { ok: false, code: null, text: result.kind.replace("-", " ") };
  return { ok: result.code === 0, code: result.code, text: result.stdout.trim() };
}
