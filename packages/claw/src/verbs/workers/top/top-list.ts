import type { Need, ReceivedReply, WorkerView } from "claw-contract";
import { needsOf } from "claw-contract";
import type { PlacedWorker } from "../worker-table.ts";
import { placeWorkers } from "../worker-table.ts";

/** The workspace as `moment.show` tells it. */
export type Moment = NonNullable<ReceivedReply<"moment.show">["moment"]>;
export type MomentApproval = Moment["approvals"][number];

/** A thing in the list that can be selected. */
export type TopItem =
  | { readonly kind: "need"; readonly key: string; readonly need: Need }
  | { readonly kind: "worker"; readonly key: string; readonly placed: PlacedWorker };

const keyOfNeed = ({ kind, peerId, name, approvalId }: Need): string => `${kind} ${approvalId ?? peerId ?? name}`;

/** Everything that waits for a person, most urgent first, then all workers. */
export function listItems(moment: Moment): readonly TopItem[] {
  const needs = needsOf(moment).map((need): TopItem => ({ kind: "need", key: keyOfNeed(need), need }));
  const workers = placeWorkers(moment.workers).map((placed): TopItem => ({
    kind: "worker",
    key: placed.worker.peer_id,
    placed,
  }));
  return [...needs, ...workers];
}

/** The worker that an item is about; undefined for a budget of several workers. */
export function workerOfItem(item: TopItem, moment: Moment): WorkerView | undefined {
  if (item.kind === "worker") return item.placed.worker;
  return moment.workers.find(({ peer_id: id }) => id === item.need.peerId);
}

/** The open approval of an item: the one it is about, or the only one of its worker. */
export function approvalOfItem(item: TopItem, { approvals }: Moment): MomentApproval | undefined {
  const open = approvals.filter(({ status }) => status === "open");
  if (item.kind === "need") return open.find(({ approvalId }) => approvalId === item.need.approvalId);
  const own = open.filter(({ peerId }) => peerId === item.placed.worker.peer_id);
  return own.length === 1 ? own[0] : undefined;
}
