import { LIMITS, cutChars } from "claw-contract";
import { mayBeRepository, runGit } from "../../process/index.ts";

/** Facts about a repository for the system prompt. */
export interface GitSummary {
  /** The branch and its distance to the upstream branch, as `git status` prints them. */
  readonly branch: string;
  /** Changed files as `git status --short` lists them; the last line says how many more there are. */
  readonly changes: readonly string[];
  /** Hash and subject, the newest first. */
  readonly commits: readonly string[];
}

const MAX_LINE_CHARS = 200;

const clean = (line: string): string => cutChars(line.replaceAll(/\p{Cc}/gu, " "), MAX_LINE_CHARS);

type Words = readonly [command: string, ...string[]];

async function git(args: Words, cwd: string, signal: AbortSignal): Promise<string[] | null> {
  const limits = { timeoutMs: LIMITS.gitTimeoutMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runGit({ args, cwd, ...limits }, signal);
  if (result.kind !== "exited" || result.code !== 0) return null;
  return result.stdout.split("\n").filter((line) => line !== "");
}

/** Branch, changes and last commits of a folder; null without a repository or git. Rejects with the signal's reason. */
export async function readGitSummary(cwd: string, signal: AbortSignal): Promise<GitSummary | null> {
  if (!mayBeRepository(cwd)) return null;
  const [status, log] = await Promise.all([
    git(["status", "--short", "--branch"], cwd, signal),
    git(["log", `-${LIMITS.gitCommits}`, "--format=%h %s"], cwd, signal),
  ]);
  signal.throwIfAborted();
  if (status === null) return null;
  const [head = "", ...changed] = status;
  const shown = changed.slice(0, LIMITS.gitStatusLines).map(clean);
  const more = changed.length - shown.length;
  return {
    branch: clean(head.replace(/^## /, "")),
    changes: more > 0 ? [...shown, `… and ${more} more`] : shown,
    commits: (log ?? []).map(clean),
  };
}
