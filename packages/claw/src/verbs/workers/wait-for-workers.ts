import type { Observer } from "claw-client";
import type { VerbOutput, WaitGoal, WaitVerdict, WorkerView } from "claw-contract";
import { ClawError, judgeWait } from "claw-contract";
import type { Ports } from "../runtime/handle.ts";
import { watchBus } from "../bus/ask-bus.ts";

type Output = VerbOutput<"wait">;

export interface WorkerWait {
  readonly named: readonly string[];
  readonly goal: WaitGoal;
}

interface Looked {
  readonly worker: WorkerView;
  readonly verdict: WaitVerdict;
}

/**
 * The ids of the named workers. A name is looked up once, so a later worker of the same name is not meant. Throws
 * WORKER_NOT_FOUND.
 */
function idsOf(bus: Observer, named: readonly string[]): Promise<string[]> {
  const idOf = async (target: string): Promise<string> => {
    const { peer_id: id } = await bus.request("worker.find", { target });
    if (id !== null) return id;
    throw new ClawError("WORKER_NOT_FOUND", `${target} is a terminal without a worker`, { operation: "wait", target });
  };
  return Promise.all(named.map(idOf));
}

async function judgeWorkers(bus: Observer, ids: readonly string[], goal: WaitGoal): Promise<Looked[]> {
  const { workers } = await bus.request("worker.list");
  return ids.map((id) => {
    const worker = workers.find(({ peer_id }) => peer_id === id);
    if (worker !== undefined) return { worker, verdict: judgeWait(worker, goal) };
    throw new ClawError("WORKER_NOT_FOUND", `${id} was removed`, { operation: "wait", target: id });
  });
}

const waitOutput = (looked: readonly Looked[]): Output => ({
  found: true,
  workers: looked.map(({ worker: { peer_id, name, state, completion, reason } }) => ({
    peer_id,
    name,
    state,
    completion,
    reason,
  })),
  topic: null,
  from: null,
  ts_server: null,
  sequence: null,
  payload: null,
});

/**
 * Whether the wait is over: every worker has reached the goal or never will; for `needs-input`, one worker is enough.
 */
function isDone(looked: readonly Looked[], goal: WaitGoal): boolean {
  const isMet = ({ verdict }: Looked): boolean => verdict.kind === "met";
  if (goal === "needs-input" && looked.some(isMet)) return true;
  return looked.every(({ verdict }) => verdict.kind !== "waiting");
}

/**
 * Returns the answer, or throws for the first worker that can never reach the goal. The error carries the state of all
 * workers.
 */
function waitVerdict(looked: readonly Looked[], goal: WaitGoal): Output {
  const asks = goal === "needs-input" && looked.some(({ verdict }) => verdict.kind === "met");
  for (const { worker, verdict } of asks ? [] : looked) {
    if (verdict.kind !== "failed") continue;
    const { code, message } = verdict;
    const hint = `See why: claw logs ${worker.peer_id}.`;
    throw new ClawError(code, message, { operation: "wait", target: worker.name, hint, partial: waitOutput(looked) });
  }
  return waitOutput(looked);
}

function stoppedError({ signal }: Ports, looked: readonly Looked[]): ClawError {
  const why = signal.reason instanceof ClawError ? signal.reason : undefined;
  const names = looked.filter(({ verdict }) => verdict.kind === "waiting").map(({ worker }) => worker.name);
  const message = why?.code === "TIMEOUT" ? `not there in time: ${names.join(", ")}` : why?.message;
  return new ClawError(why?.code ?? "BUS_UNREACHABLE", message ?? "the bus closed before the workers were done", {
    operation: "wait",
    target: names.join(", "),
    hint: "The workers go on: claw ps. Wait longer with --timeout-seconds.",
    partial: waitOutput(looked),
  });
}

/** Waits until the workers reach the goal. Rejects when a worker can never reach the goal. */
export async function waitForWorkers({ named, goal }: WorkerWait, ports: Ports): Promise<Output> {
  return watchBus(ports, async (bus) => {
    const subscription = bus.subscribe("system.worker.*");
    await subscription.ready();
    const ids = await idsOf(bus, named);
    let looked = await judgeWorkers(bus, ids, goal);
    if (isDone(looked, goal)) return waitVerdict(looked, goal);
    ports.announce(`Waiting for ${named.join(", ")}; Ctrl-C ends it.`);
    for await (const item of subscription) {
      if (item.kind !== "event") continue;
      looked = await judgeWorkers(bus, ids, goal);
      if (isDone(looked, goal)) return waitVerdict(looked, goal);
    }
    throw stoppedError(ports, looked);
  });
}
