import type { JobWorktree } from "claw-contract";
import { hasLifeEnded } from "claw-contract";
import type { WorkerCleared, WorkerKept, WorktreeChanges, WorkerSpawned } from "claw-contract/schemas";
import type { BusHost } from "../../../bus/index.ts";
import { treeChanges } from "../../../process/index.ts";
import type { RegisteredWorker, WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import type { SuperviseOptions } from "../../supervision/supervise-options.ts";
import { reasonToKeep, removeWorktree } from "./remove-worktree.ts";
import type { WorktreeRemoval } from "./remove-worktree.ts";
import { wholeCommands, workerRedactor } from "../worker-job.ts";
import { readJobOf } from "../worker-process.ts";

type Options = Pick<SuperviseOptions, "env" | "umask">;

/** The commands that are run before a worker's worktree is removed. */
function tearDownCommands({ folder, worktree }: WorkerSpawned, { env }: Options): readonly string[] {
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

/** How far a worker's report has been examined, as far as the worktree is concerned. */
export type ReportState =
  /** The report is being examined, its checks are still to run, or it was sent back. */
  | "open"
  /** The worktree has handed-over files, which stay until a person has accepted the report. */
  | "handed_over"
  | "settled";

export interface KeeperDeps {
  readonly host: BusHost;
  readonly registry: Pick<WorkerRegistry, "get" | "all">;
  readonly options: SuperviseOptions;
  /** Whether a process of the worker may still run, or the worker is being started anew. */
  readonly isBusy: (peerId: string) => boolean;
  readonly reportState: (peerId: string) => ReportState;
}

/** Removes worktrees of ended workers when the worktrees hold no work, and publishes what the others hold. */
export interface WorktreeKeeper {
  /** Looks at the worktree of an ended worker, unless this was done before. */
  settle(peerId: string): void;
  /** Looks again at the worktree of an accepted worker: it may hold no work by now. */
  settleAgain(peerId: string): void;
  /** Looks at worktrees that an earlier daemon left. */
  start(): void;
  /** Resolves when the worker's worktree is not being removed. */
  whenFree(peerId: string): Promise<void>;
}

type Event = { readonly topic: string; readonly payload: WorkerCleared | WorkerKept };

async function changesIn({ path, base }: JobWorktree): Promise<WorktreeChanges | null> {
  const changes = await treeChanges({ path, base });
  if (changes === null) return null;
  const { files, commits, uncommitted } = changes;
  const sum = (field: "insertions" | "deletions"): number => files.reduce((all, file) => all + (file[field] ?? 0), 0);
  return {
    files: files.length,
    insertions: sum("insertions"),
    deletions: sum("deletions"),
    commits: commits.length,
    uncommitted: uncommitted.length,
  };
}

/** Removes the worktree, or finds out why it stays. Resolves with the event about the result. */
async function lookAt(deps: KeeperDeps, { peerId, spawned }: RegisteredWorker): Promise<Event | undefined> {
  if (spawned === null || spawned.worktree === null) return undefined;
  const { host, options, reportState } = deps;
  const worktree = spawned.worktree as JobWorktree;
  const { path, branch } = worktree;
  const commands = tearDownCommands(spawned, options);
  const stays = reportState(peerId) === "handed_over" ? "its worker handed over files in it" : null;
  const removal =
    stays === null
      ? await clearWorktree(spawned, options)
      : ({ kind: "kept", reason: (await reasonToKeep(worktree, commands)) ?? stays, tornDown: false } as const);
  const place = { peerId, path, branch };
  if (removal.kind === "removed") {
    return { topic: "system.worker.cleared", payload: { ...place, ts: host.timestamp() } };
  }
  const { reason, tornDown: torn_down } = removal;
  const payload = { ...place, reason, changes: await changesIn(worktree), torn_down, ts: host.timestamp() };
  return { topic: "system.worker.kept", payload };
}

/** Resolves when the log has the event; rejects when it could not be stored. */
const publishEvent = (host: BusHost, event: Event): Promise<void> =>
  new Promise((resolve, reject) =>
    host.publish([event], (outcome) => (outcome instanceof Error ? reject(outcome) : resolve())),
  );

/** Whether a worker of this machine has ended and had a worktree. */
const hasEndedHere = (host: BusHost, { peerId, life, spawned }: RegisteredWorker): boolean =>
  host.isHere(peerId) && hasLifeEnded(life) && (spawned?.worktree ?? null) !== null;

export function createWorktreeKeeper(deps: KeeperDeps): WorktreeKeeper {
  const { host, registry, options, isBusy, reportState } = deps;
  const looking = new Map<string, Promise<void>>();
  /** The worker, if its worktree can be looked at now. */
  const ready = (peerId: string, again: boolean): RegisteredWorker | undefined => {
    const worker = registry.get(peerId);
    if (worker === undefined || !hasEndedHere(host, worker)) return undefined;
    const decided = worker.worktree ?? null;
    const isOpen = decided === null || (again && decided === "kept");
    return isOpen && !isBusy(peerId) && reportState(peerId) !== "open" ? worker : undefined;
  };
  const look = async (peerId: string, again: boolean): Promise<void> => {
    const worker = ready(peerId, again);
    const event = worker === undefined ? undefined : await lookAt(deps, worker);
    const isOld = again && event?.topic === "system.worker.kept" && worker?.worktree === "kept";
    if (event !== undefined && !isOld) await publishEvent(host, event);
  };
  const settle = (peerId: string, again = false): void => {
    if (ready(peerId, again) === undefined || options.lifetime.signal.aborted) return;
    // Meanwhile no peer can judge or remove the worker.
    const taken = host.runInTurn(`judge ${peerId}`, (release) => {
      const failed = (error: unknown): void => options.report(`the worktree of ${peerId} stays: ${String(error)}`);
      const done = look(peerId, again)
        .catch(failed)
        .finally(() => {
          looking.delete(peerId);
          release();
        });
      looking.set(peerId, done);
      options.lifetime.hold(done);
    });
    if (!taken) options.report(`the worktree of ${peerId} is not looked at: too much waits for its worker`);
  };
  return {
    settle,
    settleAgain: (peerId) => settle(peerId, true),
    start: () => registry.all().forEach(({ peerId }) => settle(peerId)),
    whenFree: async (peerId) => looking.get(peerId),
  };
}
