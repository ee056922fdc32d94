import type { Orchestrator } from "@claw/client";
import type { FleetFact, FleetFile, WorkerState } from "@claw/contract";
import type { WorktreeChanges } from "@claw/contract/schemas";

/** What the daemon knows of a worker, as far as a fleet wants to. */
export interface KnownWorker {
  readonly peer_id: string;
  readonly name: string;
  readonly fleet: string | null;
  readonly mission: string | null;
  readonly state: WorkerState;
  /** Whether nothing more comes of it by itself. */
  readonly ended: boolean;
  readonly reason: string;
  readonly completion: string | null;
  readonly tokens: number;
  readonly cost_usd: number;
  readonly cost_estimated: boolean;
  readonly worktree: Readonly<Record<string, unknown>> | null;
  readonly changes: WorktreeChanges | null;
}

export async function listWorkers(bus: Pick<Orchestrator, "request">): Promise<readonly KnownWorker[]> {
  const { workers } = await bus.request("worker.list");
  return Array.isArray(workers) ? (workers as KnownWorker[]) : [];
}

const SETTLED: ReadonlySet<unknown> = new Set(["verified", "accepted"]);

/** What is told of a mission may be its beginning alone. */
const isSameMission = (known: string | null, wanted: string): boolean =>
  known !== null && known !== "" && wanted.startsWith(known);

interface Wanted {
  readonly mission: string;
  readonly checked: boolean;
}

/** Whether one that has ended has done what is wanted now. */
const hasDone = ({ state, completion, mission }: KnownWorker, { mission: wanted, checked }: Wanted): boolean =>
  isSameMission(mission, wanted) && (SETTLED.has(completion) || (!checked && state === "finished"));

function factsOf({ name, peer_id: peerId, state, reason, completion }: KnownWorker): FleetFact[] {
  const started: FleetFact = { kind: "started", name, peerId, adopted: true };
  const judged: Readonly<Record<string, FleetFact>> = {
    verified: { kind: "verified", peerId, passed: true },
    failed_checks: { kind: "verified", peerId, passed: false },
    accepted: { kind: "accepted", peerId },
  };
  const more = completion !== null && Object.hasOwn(judged, completion) ? judged[completion] : undefined;
  return [started, { kind: "state", peerId, state, reason }, ...(more === undefined ? [] : [more])];
}

/** The workers of an earlier call that this one goes on with: those that run, and those that have done their work. */
export function adopt(
  known: readonly KnownWorker[],
  { file, fresh, isChecked }: { file: FleetFile; fresh: boolean; isChecked: (name: string) => boolean },
): FleetFact[] {
  return file.workers.flatMap(({ name, mission }) => {
    const own = known.filter((worker) => worker.fleet === file.name && worker.name === name);
    const running = own.findLast(({ ended, state, completion }) => !ended || isOpen(state, completion));
    const done = fresh ? undefined : own.findLast((worker) => hasDone(worker, { mission, checked: isChecked(name) }));
    const adopted = running ?? done;
    return adopted === undefined ? [] : factsOf(adopted);
  });

  /** Its checks are still to come. */
  function isOpen(state: WorkerState, completion: string | null): boolean {
    return state === "finished" && completion === "reported" && !fresh;
  }
}
