import { LIMITS } from "claw-contract";
import { mayBeRepository, runGit } from "../../process/index.ts";

export interface GitState {
  readonly root: string | null;
  readonly branch: string | null;
  readonly state: "clean" | "dirty" | "no_repository" | "unknown";
  readonly changedFiles: number;
}

const GIT_NOT_A_REPOSITORY = 128;

type GitAnswer = { readonly stdout: string } | { readonly state: "no_repository" | "unknown" };

async function git(
  args: readonly [command: string, ...string[]],
  cwd: string,
  signal: AbortSignal,
): Promise<GitAnswer> {
  const limits = { timeoutMs: LIMITS.gitTimeoutMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runGit({ args, cwd, ...limits }, signal);
  signal.throwIfAborted();
  if (result.kind !== "exited") return { state: "unknown" };
  if (result.code === 0) return { stdout: result.stdout };
  return { state: result.code === GIT_NOT_A_REPOSITORY ? "no_repository" : "unknown" };
}

const none = (state: GitState["state"]): GitState => ({ root: null, branch: null, state, changedFiles: 0 });

/** Entries of `git status`; a renamed file is followed by its old name, which is no entry. */
function countChanges(items: readonly string[]): number {
  let changes = 0;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] ?? "";
    if (/^[12u?] /.test(item)) changes += 1;
    if (item.startsWith("2 ")) index += 1;
  }
  return changes;
}

/** Branch and changes of a folder. Throws only the signal's reason: without git the state is "unknown". */
export async function readGitState(cwd: string, signal: AbortSignal): Promise<GitState> {
  if (!mayBeRepository(cwd)) return none("no_repository");
  const [root, status] = await Promise.all([
    git(["rev-parse", "--show-toplevel"], cwd, signal),
    git(["status", "--porcelain=v2", "--branch", "-z"], cwd, signal),
  ]);
  if ("state" in root) return none(root.state);
  if ("state" in status) return none(status.state);
  const lines = status.stdout.split("\0");
  const head = lines.find((line) => line.startsWith("# branch.head "))?.slice("# branch.head ".length) ?? null;
  const changedFiles = countChanges(lines);
  return {
    root: root.stdout.trimEnd(),
    branch: head === "(detached)" ? null : head,
    state: changedFiles === 0 ? "clean" : "dirty",
    changedFiles,
  };
}
