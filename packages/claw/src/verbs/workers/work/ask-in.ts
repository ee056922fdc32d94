import { LIMITS } from "claw-contract";
import { runGit } from "../../../process/index.ts";

export interface GitSaid {
  readonly ok: boolean;
  /** Null when git did not come to an exit. */
  readonly code: number | null;
  readonly text: string;
}

/** Asks git in a folder and never rejects. `withStderr` adds what it complains about. */
export async function askIn(
  cwd: string,
  args: readonly [string, ...string[]],
  more: { readonly withStderr?: boolean; readonly env?: NodeJS.ProcessEnv; readonly trees?: readonly string[] } = {},
): Promise<GitSaid> {
  const limits = { timeoutMs: LIMITS.worktreeCommandMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runGit({ cwd, args, ...limits, ...more }, new AbortController().signal);
  if (result.kind !== "exited") return { ok: false, code: null, text: result.kind.replace("-", " ") };
  return { ok: result.code === 0, code: result.code, text: result.stdout };
}
