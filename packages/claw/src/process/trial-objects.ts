import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { LIMITS } from "@claw/contract";
import { runGit } from "./run-git.ts";

/** A path in a list of folders of objects, where a colon would end it. */
export const quoteObjects = (path: string): string => `"${path.replaceAll(/[\\"]/g, "\\$&")}"`;

/** A folder that goes away again, and variables under which git writes objects there instead of into the repository. */
export interface TrialObjects {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Calls a function with variables under which git tries something out: it sees the objects of the repository, and what
 * it makes is gone afterwards. `cwd` is in the repository.
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
    // Where git knows no repository, it will say so itself.
    const env =
      own === null ? {} : { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteObjects(own) };
    return await run({ folder, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
