import type { JobWorktree } from "@claw/contract";
import type { WorkerSpawned } from "@claw/contract/schemas";
import type { Fleet } from "../fleet/fleet.ts";
import type { SuperviseOptions } from "../supervise-options.ts";
import type { Removal } from "./remove-worktree.ts";
import { reasonToKeep, removeWorktree } from "./remove-worktree.ts";
import { wholeCommands, workerRedactor } from "./worker-job.ts";
import { readJob } from "./worker-process.ts";

type Options = Pick<SuperviseOptions, "env" | "umask">;

interface TearDownDeps {
  readonly fleet: Fleet;
  readonly options: SuperviseOptions;
}

function commandsOf({ folder, worktree }: WorkerSpawned, { env }: Options): readonly string[] {
  const told = Array.isArray(worktree?.["teardown"]) ? worktree["teardown"].map(String) : [];
  const job = readJob(folder);
  return wholeCommands(told, job?.teardown, workerRedactor(env, job ?? { env: {} }));
}

/** Removes the worktree of a worker unless it holds work; with `dryRun` it is only looked at. */
export async function clearWorktree(spawned: WorkerSpawned, options: Options, dryRun = false): Promise<Removal> {
  if (spawned.worktree === null) return { kind: "removed" };
  const worktree = spawned.worktree as JobWorktree;
  const commands = commandsOf(spawned, options);
  if (!dryRun) return removeWorktree(worktree, commands, { folder: spawned.folder, umask: options.umask });
  const reason = await reasonToKeep(worktree, commands);
  return reason === null ? { kind: "removed" } : { kind: "kept", reason };
}

/** A worker whose work was accepted needs its worktree no longer, unless that holds work. */
export async function tearDown({ fleet, options }: TearDownDeps, peerId: string): Promise<void> {
  const spawned = fleet.get(peerId)?.spawned ?? null;
  if (spawned === null || spawned.worktree === null) return;
  const removal = await clearWorktree(spawned, options);
  if (removal.kind === "kept") options.report(`${spawned.worktree.path} stays: ${removal.reason}`);
}
