interface Said {
  readonly ok: boolean;
  readonly code: number | null;
  readonly text: string;
}

/** Asks git in a repository. Never rejects. */
export type AskRepository = (args: readonly [string, ...string[]]) => Promise<Said>;

/**
 * Whether all that commits changed is on one of some branches: they are part of its history, or merging them would
 * change nothing, as after a squash or a rebase.
 */
export async function isMerged(ask: AskRepository, commit: string, branches: readonly string[]): Promise<boolean> {
  for (const onto of branches) {
    if ((await ask(["merge-base", "--is-ancestor", commit, onto])).ok) return true;
    const tree = await ask(["rev-parse", "--verify", "--quiet", `${onto}^{tree}`]);
    const fork = await ask(["merge-base", onto, commit]);
    // Commits without changes have nothing by which they could be known again.
    const isEmpty = (await ask(["diff", "--quiet", fork.text.trim(), commit])).code !== 1;
    if (!fork.ok || isEmpty) continue;
    const merged = await ask(["merge-tree", "--write-tree", "--no-messages", onto, commit]);
    if (tree.ok && merged.ok && tree.text.trim() === merged.text.trim()) return true;
  }
  return false;
}
