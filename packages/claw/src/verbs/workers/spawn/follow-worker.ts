import type { EventItem, Orchestrator } from "claw-client";
import type { VerbInput, VerbOutput, WorkerLife } from "claw-contract";
import {
  FIRST_LIFE,
  hasLifeEnded,
  nextLife,
  objectOf,
  stateAfter,
  storedPayload,
  stringOrNull,
  worktreeChangesIn,
} from "claw-contract";

type Input = VerbInput<"spawn">;
type Output = VerbOutput<"spawn">;

/** How far a worker has come. */
export type Progress = Pick<
  Output,
  "state" | "result" | "summary" | "terminal_id" | "completion" | "checks" | "changes"
>;

export const STARTING: Progress = {
  state: "starting",
  result: null,
  summary: null,
  terminal_id: null,
  completion: null,
  checks: [],
  changes: null,
};

export interface Followed {
  readonly progress: Progress;
  /** Whether a budget limit stopped the worker. */
  readonly overBudget: boolean;
}

export interface FollowRequest {
  readonly peerId: string;
  readonly wait: Input["wait"];
  /** Cursor from before the worker was started. */
  readonly from: string;
  /** How many checks were declared. */
  readonly checks: number;
}

/** The life of the worker after an event; the same object when the event is about another worker. */
function lifeAfter(life: WorkerLife, { topic, from, data, sequence }: EventItem, peerId: string): WorkerLife {
  const fields = objectOf(data);
  const isOwn = topic.startsWith(`worker.${peerId}.`);
  return isOwn || fields["peerId"] === peerId ? nextLife(life, { topic, from, data: fields, sequence }) : life;
}

/** The progress of a worker whose life ended with an event. A worker that reported nothing is gone. */
function endedBy({ end }: WorkerLife, fields: Readonly<Record<string, unknown>>): Progress {
  if (end?.by === "complete") {
    const said = { result: end.result, summary: stringOrNull(fields["summary"]), changes: worktreeChangesIn(fields) };
    return { ...STARTING, state: stateAfter(end), completion: "reported", ...said };
  }
  const hasFailed = end?.by === "fatal" || end?.by === "failed";
  if (!hasFailed) return { ...STARTING, state: "gone" };
  return { ...STARTING, state: "failed", result: "failed", summary: stringOrNull(fields["message"]) };
}

/**
 * The progress that an event reports about the worker; undefined when the event reports none. A worker that crashed may
 * be started again: only an alert settles its end.
 */
function progressOf({ topic, data }: EventItem, peerId: string, life: WorkerLife): Progress | undefined {
  const fields = objectOf(data);
  if (topic === `worker.${peerId}.boot`) {
    return { ...STARTING, terminal_id: stringOrNull(fields["terminal_id"]) || null };
  }
  if (hasLifeEnded(life)) return endedBy(life, fields);
  const isAborted = topic === "system.worker.state" && fields["peerId"] === peerId && fields["state"] === "aborted";
  return isAborted ? { ...STARTING, state: "aborted", summary: stringOrNull(fields["reason"]) } : undefined;
}

/** The progress after the checks of a reported result; undefined while the checks run. */
function judgedBy({ topic, data }: EventItem, peerId: string, report: Progress): Progress | undefined {
  const fields = objectOf(data);
  if (fields["peerId"] !== peerId) return undefined;
  if (topic === "system.worker.accepted") return { ...report, completion: "accepted" };
  const verified = storedPayload({ topic, payload: data }, "system.worker.verified");
  if (verified === undefined) return undefined;
  const { passed, checks } = verified;
  const ran = checks.map(({ command, passed: ok, exit_code, output_path }) => ({
    command,
    passed: ok,
    exit_code,
    output_path,
  }));
  return { ...report, completion: passed ? "verified" : "failed_checks", checks: ran };
}

/** Whether the server says that a worker was stopped because a limit was reached. */
const isStopped = ({ topic, from, data }: EventItem, peerId: string): boolean => {
  const { stopped } = objectOf(data);
  return topic === "system.budget.exceeded" && from === "server" && Array.isArray(stopped) && stopped.includes(peerId);
};

/** Follows a worker to the state that the caller waits for. Resolves with undefined when the bus ends before. */
export async function followWorker(bus: Orchestrator, request: FollowRequest): Promise<Followed | undefined> {
  const { peerId, wait, from, checks } = request;
  let [overBudget, life] = [false, FIRST_LIFE];
  let report: Progress | undefined;
  for await (const item of bus.subscribe("**", { from })) {
    if (item.kind !== "event") continue;
    overBudget ||= isStopped(item, peerId);
    if (report !== undefined) {
      const judged = judgedBy(item, peerId, report);
      if (judged !== undefined) return { progress: judged, overBudget };
      continue;
    }
    life = lifeAfter(life, item, peerId);
    const progress = progressOf(item, peerId, life);
    if (progress === undefined || (wait !== "boot" && progress.state === "starting")) continue;
    // The daemon runs the checks of a worker that reports success, whatever becomes of the worker's process.
    if (checks === 0 || wait === "boot" || progress.result !== "ok") return { progress, overBudget };
    report = progress;
  }
  return undefined;
}
