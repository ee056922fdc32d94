import { setTimeout as delay } from "node:timers/promises";
import type { VerbOutput } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { WorkerWithProcess } from "../../daemon/index.ts";
import { endReplacement, findDaemon, runningWorkers, stopDaemon } from "../../daemon/index.ts";
import { abortWorkers } from "../workers/commands/abort-workers.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import type { Paint } from "../runtime/paint.ts";
import { plural } from "../text/text-layout.ts";

type Output = VerbOutput<"down">;
type Fates = Pick<Output, "workers" | "aborted">;

/** Aborts workers. Workers that do not stop go on; the answer names them. */
async function abortAll(before: readonly WorkerWithProcess[], ports: Ports): Promise<Fates> {
  const order = { reason: "stopped by claw down", wait: "applied" } as const;
  const outcomes = await abortWorkers(before, order, ports);
  for (const { failure } of outcomes) if (failure !== null) ports.notes.warn(`${failure.code}: ${failure.message}`);
  const stopped = new Set(outcomes.filter(({ failure }) => failure === null).map(({ worker }) => worker));
  const left = await whenGone(stopped, ports);
  const goesOn = ({ peer_id: id }: WorkerWithProcess): boolean => !stopped.has(id) || left.has(id);
  return { workers: before.filter(goesOn), aborted: before.filter((each) => !goesOn(each)) };
}

const LOOK_MS = 50;

/**
 * Waits for the workers' processes to end: their last events go to the daemon, and without a daemon the processes would
 * wait. Returns the ids of workers whose processes still run.
 */
async function whenGone(ids: ReadonlySet<string>, { cwd, signal }: Ports): Promise<ReadonlySet<string>> {
  for (const deadline = Date.now() + LIMITS.workerStopMs; ; signal.throwIfAborted()) {
    const left = runningWorkers(cwd).filter(({ peer_id: id }) => ids.has(id));
    if (left.length === 0 || Date.now() > deadline) return new Set(left.map(({ peer_id: id }) => id));
    await delay(LOOK_MS);
  }
}

const names = (workers: readonly WorkerWithProcess[]): string => workers.map(({ name }) => name).join(", ");

/** Says which workers stop and which go on, and how to stop the others. */
function workersText({ workers, aborted, effect, pid }: Output, paint: Paint): string[] {
  const would = effect === "would_delete";
  const stopped = `${would ? "Would stop" : "Stopped"} ${plural(aborted.length, "worker")}: ${names(aborted)}`;
  const go = would ? "would go" : workers.length === 1 ? "goes" : "go";
  const goOn = `${plural(workers.length, "worker")} ${go} on without ${pid === null ? "one" : "it"}: ${names(workers)}`;
  const next = would
    ? `To stop the workers too: ${paint.cyan("claw down --abort")}`
    : `To stop ${workers.length === 1 ? "it" : "them"}: ${paint.cyan("claw up")}, then ${paint.cyan("claw abort --all")}`;
  return [...(aborted.length === 0 ? [] : [stopped]), ...(workers.length === 0 ? [] : [goOn, next])];
}

function headText({ stopped, pid, effect }: Output): string {
  if (pid === null) return "No daemon runs here.";
  if (effect === "would_delete") return `Would stop process ${pid}`;
  return stopped ? `Stopped process ${pid}` : `Process ${pid} was stopped before`;
}

export const handler = handle("down", {
  run: async ({ dryRun, abort }, ports) => {
    const daemon = findDaemon(ports.cwd);
    const workers = runningWorkers(ports.cwd);
    const goingOn = { workers, aborted: [] };
    if (!dryRun) endReplacement(ports.cwd);
    if (daemon === undefined) return { stopped: false, pid: null, ...goingOn, effect: "noop" };
    const { pid, socket } = daemon;
    if (dryRun) {
      const fates = abort ? { workers: [], aborted: workers } : goingOn;
      return { stopped: false, pid, ...fates, effect: "would_delete", would_affect: [socket] };
    }
    const fates = abort && workers.length > 0 ? await abortAll(workers, ports) : goingOn;
    await stopDaemon(daemon, ports.signal);
    return { stopped: true, pid, ...fates, effect: "deleted" };
  },
  show: (output, paint) => [headText(output), ...workersText(output, paint)].join("\n"),
});
