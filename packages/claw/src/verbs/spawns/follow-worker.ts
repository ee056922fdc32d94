import type { EventItem, Orchestrator } from "@claw/client";
import type { VerbInput, VerbOutput } from "@claw/contract";
import { fieldsOf, worktreeChangesIn } from "@claw/contract";
import type { WorkerVerified } from "@claw/contract/schemas";

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

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

function reported(fields: Readonly<Record<string, unknown>>): Progress {
  const result = textOf(fields["result"]);
  const state = result === "failed" ? "failed" : result === "cancelled" ? "aborted" : "finished";
  const said = { result, summary: textOf(fields["summary"]), changes: worktreeChangesIn(fields) };
  return { ...STARTING, state, completion: "reported", ...said };
}

/** The progress that an event reports about the worker; undefined when the event reports none. */
function progressOf({ topic, data }: EventItem, peerId: string): Progress | undefined {
  const fields = fieldsOf(data);
  if (topic === `worker.${peerId}.boot`) {
    return { ...STARTING, terminal_id: textOf(fields["terminal_id"]) || null };
  }
  if (topic === `worker.${peerId}.complete`) return reported(fields);
  if (topic === `worker.${peerId}.event` && fields["severity"] === "fatal") {
    return { ...STARTING, state: "failed", result: "failed", summary: textOf(fields["message"]) };
  }
  if (fields["peerId"] !== peerId) return undefined;
  if (topic === "system.worker.state" && fields["state"] === "aborted") {
    return { ...STARTING, state: "aborted", summary: textOf(fields["reason"]) };
  }
  // A process that ended unexpectedly may be started again: an alert says how the daemon reacts.
  const isOver = topic === "system.worker.terminated" && fields["expected"] !== false;
  return isOver ? { ...STARTING, state: "gone" } : undefined;
}

/** The progress after the checks of a reported result; undefined while the checks run. */
function judgedBy({ topic, data }: EventItem, peerId: string, report: Progress): Progress | undefined {
  const fields = fieldsOf(data);
  if (fields["peerId"] !== peerId) return undefined;
  if (topic === "system.worker.accepted") return { ...report, completion: "accepted" };
  if (topic !== "system.worker.verified") return undefined;
  const { passed, checks } = fields as unknown as WorkerVerified;
  const ran = checks.map(({ command, passed: ok, exit_code, output_path }) => ({
    command,
    passed: ok,
    exit_code,
    output_path,
  }));
  return { ...report, completion: passed ? "verified" : "failed_checks", checks: ran };
}

/** Whether a worker has no process and waits for the daemon's reaction. */
function isCrashedAfter({ topic, data }: EventItem, peerId: string, before: boolean): boolean {
  const fields = fieldsOf(data);
  if (fields["peerId"] !== peerId) return before;
  return topic === "system.worker.terminated" || (before && topic !== "system.worker.spawned");
}

/** Whether only a person can start the worker again. */
const isGivenUp = ({ topic, data }: EventItem, peerId: string): boolean =>
  topic === "system.worker.alert" && fieldsOf(data)["peerId"] === peerId && fieldsOf(data)["action"] === "alert";

/** Whether the server says that a worker was stopped because a limit was reached. */
const isStopped = ({ topic, from, data }: EventItem, peerId: string): boolean => {
  const { stopped } = fieldsOf(data);
  return topic === "system.budget.exceeded" && from === "server" && Array.isArray(stopped) && stopped.includes(peerId);
};

/** Follows a worker to the state that the caller waits for. Resolves with undefined when the bus ends before. */
export async function followWorker(bus: Orchestrator, request: FollowRequest): Promise<Followed | undefined> {
  const { peerId, wait, from, checks } = request;
  let [overBudget, crashed] = [false, false];
  let report: Progress | undefined;
  for await (const item of bus.subscribe("**", { from })) {
    if (item.kind !== "event") continue;
    overBudget ||= isStopped(item, peerId);
    if (report !== undefined) {
      const judged = judgedBy(item, peerId, report);
      if (judged !== undefined) return { progress: judged, overBudget };
      continue;
    }
    crashed = isCrashedAfter(item, peerId, crashed);
    const lost = crashed && isGivenUp(item, peerId) ? { ...STARTING, state: "gone" as const } : undefined;
    const progress = lost ?? progressOf(item, peerId);
    if (progress === undefined || (wait !== "boot" && progress.state === "starting")) continue;
    // The daemon runs the checks of a worker that reports success, whatever becomes of the worker's process.
    if (checks === 0 || wait === "boot" || progress.result !== "ok") return { progress, overBudget };
    report = progress;
  }
  return undefined;
}
