import { withTrialObjects } from "./trial-objects.ts";

interface GitSaid {
  readonly ok: boolean;
  readonly code: number | null;
  readonly text: string;
}

/** Calls git in a folder. Never rejects. */
type AskGit = (
  cwd: string,
  args: readonly [string, ...string[]],
  wishes?: { readonly env?: NodeJS.ProcessEnv },
) => Promise<GitSaid>;

/** A repository, and how its git is called. */
export interface AskedRepository {
  readonly path: string;
  readonly askGit: AskGit;
}

/**
 * Whether one of the branches contains all changes of the commits: the commits are part of its history, or merging them
 * would change nothing, as after a squash or a rebase. Leaves no object in the repository.
 */
export async function isMerged(
  { path, askGit }: AskedRepository,
  commit: string,
  branches: readonly string[],
): Promise<boolean> {
  const ask = (...args: [string, ...string[]]): Promise<GitSaid> => askGit(path, args);
  for (const onto of branches) {
    if ((await ask("merge-base", "--is-ancestor", commit, onto)).ok) return true;
    const tree = await ask("rev-parse", "--verify", "--quiet", `${onto}^{tree}`);
    const fork = await ask("merge-base", onto, commit);
    // Commits without changes have nothing by which they could be known again.
    const isEmpty = (await ask("diff", "--quiet", fork.text.trim(), commit)).code !== 1;
    if (!fork.ok || isEmpty) continue;
    const args = ["merge-tree", "--write-tree", "--no-messages", onto, commit] as const;
    const merged = await withTrialObjects(path, ({ env }) => askGit(path, args, { env }));
    if (tree.ok && merged.ok && tree.text.trim() === merged.text.trim()) return true;
  }
  return false;
}
