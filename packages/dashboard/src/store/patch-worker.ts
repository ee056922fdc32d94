import type { EventItem } from "claw-client";
import type { WorkerView } from "claw-contract";
import { objectOf, stringOrNull, STATE_SOURCES, WORKER_STATES } from "claw-contract/client";

/** Topics after which the daemon may answer `worker.list`, `approval.list` or `budget.list` differently. */
export function changesFleet({ topic }: Pick<EventItem, "topic">): boolean {
  return (
    topic.startsWith("worker.") ||
    topic.startsWith("system.worker.") ||
    topic.startsWith("system.approval.") ||
    topic.startsWith("system.budget.") ||
    topic.startsWith("system.peer.")
  );
}

/**
 * A worker after a verdict that the daemon's reducer published. The page judges nothing itself: all other fields come
 * with the next answer of the daemon.
 */
export function withVerdict(worker: WorkerView, item: EventItem): WorkerView {
  if (item.topic !== "system.worker.state" || item.from !== "server") return worker;
  const data = objectOf(item.data);
  const state = WORKER_STATES.find((each) => each === data["state"]);
  const asOf = stringOrNull(data["as_of"]);
  if (data["peerId"] !== worker.peer_id || state === undefined || asOf === null || asOf < worker.as_of) return worker;
  return {
    ...worker,
    state,
    as_of: asOf,
    reason: stringOrNull(data["reason"]) ?? "",
    source: STATE_SOURCES.find((each) => each === data["source"]) ?? "server",
    until: stringOrNull(data["until"]),
    evidence: typeof data["evidence"] === "number" ? data["evidence"] : null,
  };
}
