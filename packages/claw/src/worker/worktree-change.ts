import type { JobWorktree } from "@claw/contract";
import { LIMITS } from "@claw/contract";
import { runGit } from "../process/index.ts";

interface Commit {
  readonly sha: string;
  readonly subject: string;
}

export interface WorktreeChange {
  /** Against the commit it began at, what is not committed included; null when git does not say. */
  readonly diff: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** Newest first. */
  readonly commits: readonly Commit[];
}

const MAX_COMMITS = 100;

async function git(cwd: string, ...args: [string, ...string[]]): Promise<string | null> {
  const request = { cwd, timeoutMs: LIMITS.gitTimeoutMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runGit({ ...request, args }, new AbortController().signal);
  return result.kind === "exited" && result.code === 0 ? result.stdout : null;
}

/** Adds up what `--numstat` says; binary files have no lines. */
export function sumNumbers(numstat: string): NonNullable<WorktreeChange["diff"]> {
  const rows = numstat
    .split("\n")
    .filter((row) => row !== "")
    .map((row) => row.split("\t"));
  const sum = (column: number): number => rows.reduce((total, row) => total + (Number(row[column]) || 0), 0);
  return { files: rows.length, insertions: sum(0), deletions: sum(1) };
}

function readCommits(text: string): Commit[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ sha: line.slice(0, line.indexOf(" ")), subject: line.slice(line.indexOf(" ") + 1) }));
}

/** What was done in a worktree since it began. */
export async function worktreeChange({ path, base }: JobWorktree): Promise<WorktreeChange> {
  const numstat = await git(path, "diff", "--numstat", base);
  const log = await git(path, "log", `--max-count=${MAX_COMMITS}`, "--format=%H %s", `${base}..HEAD`);
  return { diff: numstat === null ? null : sumNumbers(numstat), commits: readCommits(log ?? "") };
}
