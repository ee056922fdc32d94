import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { LIMITS } from "claw-contract";
import { runGit } from "./run-git.ts";

/** Quotes a path for a list of object folders, where a colon separates the paths. */
export const quoteObjects = (path: string): string => `"${path.replaceAll(/[\\"]/g, "\\$&")}"`;

/** A temporary folder, and variables that make git write objects there instead of into the repository. */
export interface TrialObjects {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Calls a function with variables for a trial run of git: git sees the repository's objects, and new objects are
 * removed afterwards. `cwd` is in the repository.
 */
export async function withTrialObjects<T>(cwd: string, run: (trial: TrialObjects) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "claw-git-"));
  try {
    const limits = { timeoutMs: LIMITS.diffTimeoutMs, maxOutputBytes: LIMITS.commandOutputBytes };
    const args = ["rev-parse", "--git-path", "objects"] as const;
    const asked = await runGit({ cwd, args, ...limits }, new AbortController().signal);
    const own = asked.kind === "exited" && asked.code === 0 ? resolve(cwd, asked.stdout.trim()) : null;
    const objects = join(folder, "objects");
    mkdirSync(objects);
    // Outside a repository, git itself reports the error.
    const env =
      own === null ? {} : { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteObjects(own) };
    return await run({ folder, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
