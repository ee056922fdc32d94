import type { JobWorktree } from "@claw/contract";
import type { Fleet } from "../fleet/fleet.ts";
import type { SuperviseOptions } from "../supervise-options.ts";
import { removeWorktree } from "./remove-worktree.ts";
import { wholeCommands, workerRedactor } from "./worker-job.ts";
import { readJob } from "./worker-process.ts";

interface TearDownDeps {
  readonly fleet: Fleet;
  readonly options: SuperviseOptions;
}

/** A worker whose work was accepted needs its worktree no longer, unless that holds work. */
export async function tearDown({ fleet, options }: TearDownDeps, peerId: string): Promise<void> {
  const spawned = fleet.get(peerId)?.spawned ?? null;
  if (spawned === null || spawned.worktree === null) return;
  const { teardown } = spawned.worktree;
  const told = Array.isArray(teardown) ? teardown.map(String) : [];
  const job = readJob(spawned.folder);
  const commands = wholeCommands(told, job?.teardown, workerRedactor(options.env, job ?? { env: {} }));
  const removal = await removeWorktree(spawned.worktree as JobWorktree, commands, {
    folder: spawned.folder,
    umask: options.umask,
  });
  if (removal.kind === "kept") options.report(`${spawned.worktree.path} stays: ${removal.reason}`);
}
