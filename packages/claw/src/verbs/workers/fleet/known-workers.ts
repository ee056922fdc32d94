import type { Orchestrator } from "claw-client";
import type { FleetFact, FleetFile, WorkerState, WorkerView } from "claw-contract";

export async function listWorkers(bus: Pick<Orchestrator, "request">): Promise<readonly WorkerView[]> {
  return (await bus.request("worker.list")).workers;
}

const SETTLED: ReadonlySet<unknown> = new Set(["verified", "accepted"]);

/** The daemon may report only the beginning of a mission. */
const isSameMission = (known: string | null, wanted: string): boolean =>
  known !== null && known !== "" && wanted.startsWith(known);

interface Wanted {
  readonly mission: string;
  readonly checked: boolean;
}

/** Whether an ended worker has done the mission that the fleet file wants now. */
const hasDone = ({ state, completion, mission }: WorkerView, { mission: wanted, checked }: Wanted): boolean =>
  isSameMission(mission, wanted) && (SETTLED.has(completion) || (!checked && state === "finished"));

function factsOf({ name, peer_id: peerId, state, reason, completion }: WorkerView): FleetFact[] {
  const started: FleetFact = { kind: "started", name, peerId, adopted: true };
  const judged: Readonly<Record<string, FleetFact>> = {
    verified: { kind: "verified", peerId, passed: true },
    failed_checks: { kind: "verified", peerId, passed: false },
    accepted: { kind: "accepted", peerId },
  };
  const more = completion !== null && Object.hasOwn(judged, completion) ? judged[completion] : undefined;
  return [started, { kind: "state", peerId, state, reason }, ...(more === undefined ? [] : [more])];
}

/**
 * Facts about workers of an earlier call that this call takes over: running workers, and workers with finished work.
 */
export function adopt(
  known: readonly WorkerView[],
  { file, fresh, isChecked }: { file: FleetFile; fresh: boolean; isChecked: (name: string) => boolean },
): FleetFact[] {
  return file.workers.flatMap(({ name, mission }) => {
    const own = known.filter((worker) => worker.fleet === file.name && worker.name === name);
    const running = own.findLast(({ ended, state, completion }) => !ended || isOpen(state, completion));
    const done = fresh ? undefined : own.findLast((worker) => hasDone(worker, { mission, checked: isChecked(name) }));
    const adopted = running ?? done;
    return adopted === undefined ? [] : factsOf(adopted);
  });

  /** Whether the worker's checks are still to run. */
  function isOpen(state: WorkerState, completion: string | null): boolean {
    return state === "finished" && completion === "reported" && !fresh;
  }
}
