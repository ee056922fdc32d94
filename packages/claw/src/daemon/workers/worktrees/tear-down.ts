import type { JobWorktree } from "claw-contract";
import type { WorkerSpawned } from "claw-contract/schemas";
import type { SuperviseOptions } from "../../supervision/supervise-options.ts";
import type { WorktreeRemoval } from "./remove-worktree.ts";
import { reasonToKeep, removeWorktree } from "./remove-worktree.ts";
import { wholeCommands, workerRedactor } from "../worker-job.ts";
import { readJobOf } from "../worker-process.ts";

type Options = Pick<SuperviseOptions, "env" | "umask">;

/** The commands that are run before a worker's worktree is removed. */
export function tearDownCommands({ folder, worktree }: WorkerSpawned, { env }: Options): readonly string[] {
  const commands = Array.isArray(worktree?.["teardown"]) ? worktree["teardown"].map(String) : [];
  const job = readJobOf(folder);
  return wholeCommands(commands, job?.teardown, workerRedactor(env, job ?? { env: {} }));
}

/** Removes the worktree of a worker unless the worktree holds work; with `dryRun`, only looks. */
export async function clearWorktree(
  spawned: WorkerSpawned,
  options: Options,
  dryRun = false,
): Promise<WorktreeRemoval> {
  if (spawned.worktree === null) return { kind: "removed" };
  const worktree = spawned.worktree as JobWorktree;
  const commands = tearDownCommands(spawned, options);
  if (!dryRun) return removeWorktree(worktree, commands, { folder: spawned.folder, umask: options.umask });
  const reason = await reasonToKeep(worktree, commands);
  return reason === null ? { kind: "removed" } : { kind: "kept", reason, tornDown: false };
}
