import { LIMITS } from "@claw/contract";
import { runGit } from "../../process/index.ts";
import { commandEnvironment } from "../sandbox/command-environment.ts";
import type { GitView, Sandbox } from "../sandbox/sandbox.ts";
import type { GitAnswer } from "./ask-repository.ts";
import type { WorkerTree } from "./worker-tree.ts";
import { privateFolder } from "./worker-tree.ts";

/** What is needed to ask git in a worker's private folder. */
export interface Inside {
  readonly tree: WorkerTree;
  readonly sandbox: Sandbox;
  /** What is taken at most from the private folder at a time; the named limits without it. */
  readonly limits?: ImportLimits;
}

/** How much of what a worker wrote is read. */
export interface ImportLimits {
  /** Bytes of the pack of everything new. */
  readonly bytes: number;
  /** Bytes of the largest piece of memory that git may ask for. */
  readonly memoryBytes: number;
}

export interface InsideOptions {
  /** Whether it may change the worktree and the private folder. */
  readonly writable?: boolean;
  readonly stdin?: number;
  readonly file?: { readonly fd: number; readonly maxBytes: number };
  /** How long it may take; as long as an import by default. */
  readonly timeoutMs?: number;
}

/** What commands see of git instead of the repository's own folder. */
export const viewOf = (tree: WorkerTree): GitView => ({
  folder: privateFolder(tree),
  own: tree.own,
  objects: `${tree.common}/objects`,
  tree: tree.root,
});

/**
 * Asks git about a worker's private folder, and never rejects. Commands of the worker may have written anything there,
 * so git runs where they ran: in the sandbox, with nothing of this process's environment.
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
      inside: (argv) => sandbox.wrap(argv, { cwd: tree.root, writable, git: viewOf(tree) }),
      timeoutMs: LIMITS.worktreeImportMs,
      maxOutputBytes: LIMITS.commandOutputBytes,
      ...files,
    },
    new AbortController().signal,
  );
  if (result.kind !== "exited") return { ok: false, code: null, text: result.kind.replace("-", " ") };
  return { ok: result.code === 0, code: result.code, text: result.stdout.trim() };
}
