import type { Observer, Subscription } from "claw-client";
import type { WorkerView } from "claw-contract";
import { ClawError, judgeWait } from "claw-contract";
import { watchBus } from "../bus/ask-bus.ts";
import type { Ports } from "../runtime/handle.ts";

export interface OutcomeWanted {
  /** Ids or names of workers; without them, the workers whose parent is the peer of the caller's seat. */
  readonly workers?: readonly string[] | undefined;
  /** Begins after this place of the log; by default now. */
  readonly cursor?: string | undefined;
  readonly waitMs: number;
}

export type OutcomeStatus = "working" | "needs_input" | "done" | "failed";

export interface WorkersOutcome {
  readonly status: OutcomeStatus;
  readonly workers: readonly WorkerView[];
  readonly cursor: string;
}

const TOPICS = "system.*.*";

/** The state of all workers together: a question counts before an end, and a failure before success. */
export function outcomeStatus(workers: readonly WorkerView[]): OutcomeStatus {
  if (workers.some(({ state }) => state === "needs_input")) return "needs_input";
  const verdicts = new Set(workers.map((worker) => judgeWait(worker, "complete").kind));
  if (verdicts.has("waiting")) return "working";
  return verdicts.has("failed") ? "failed" : "done";
}

async function look(bus: Observer, { workers: named }: OutcomeWanted): Promise<WorkerView[]> {
  const { workers } = await bus.request("worker.list");
  if (named === undefined) return workers.filter(({ parent_id: parent }) => parent !== null && parent === bus.peerId());
  return named.map((target) => {
    const found = workers.findLast(({ peer_id: id, name }) => id === target || name === target);
    if (found !== undefined) return found;
    throw new ClawError("WORKER_NOT_FOUND", `no worker is called ${target}`, { operation: "wait", target });
  });
}

/** Resolves when an event came or the time is over. */
function nextOrLate(subscription: Subscription, late: Promise<void>): Promise<unknown> {
  return Promise.race([subscription.next(), late]);
}

/** A promise that resolves after a time, and does not keep the process alive. */
function afterMs(ms: number): { readonly late: Promise<void>; readonly forget: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return { late, forget: () => clearTimeout(timer) };
}

/**
 * Waits until workers are done or one needs an answer, at most for the given time. Resolves with what there is then.
 * Rejects with WORKER_NOT_FOUND, and with the signal's reason.
 */
export async function watchOutcome(wanted: OutcomeWanted, ports: Ports): Promise<WorkersOutcome> {
  return watchBus(ports, async (bus) => {
    const subscription = bus.subscribe(TOPICS, wanted.cursor === undefined ? {} : { from: wanted.cursor });
    const deadline = Date.now() + wanted.waitMs;
    await subscription.ready();
    let workers = await look(bus, wanted);
    while (outcomeStatus(workers) === "working" && Date.now() < deadline) {
      const { late, forget } = afterMs(deadline - Date.now());
      await nextOrLate(subscription, late).finally(forget);
      ports.signal.throwIfAborted();
      workers = await look(bus, wanted);
    }
    return { status: outcomeStatus(workers), workers, cursor: subscription.cursor() ?? wanted.cursor ?? "0000:0" };
  });
}
