import type { Need, ReceivedReply, WorkerView } from "claw-contract";
import { LIMITS, needsOf } from "claw-contract";
import type { PlacedWorker } from "../worker-table.ts";
import { placeWorkers } from "../worker-table.ts";

/** The workspace as `moment.show` tells it. */
export type TopMoment = NonNullable<ReceivedReply<"moment.show">["moment"]>;
export type MomentApproval = TopMoment["approvals"][number];

/** A thing in the list that can be selected. */
export type TopItem =
  | { readonly kind: "need"; readonly key: string; readonly need: Need }
  | { readonly kind: "worker"; readonly key: string; readonly placed: PlacedWorker };

const keyOfNeed = ({ kind, peerId, name, approvalId }: Need): string => `${kind} ${approvalId ?? peerId ?? name}`;

/** The workers of the list: a worker that ended is listed for a quarter of an hour. */
export const listedIn = ({ workers, ts }: TopMoment): readonly WorkerView[] =>
  workers.filter(({ ended, as_of: asOf }) => !ended || Date.parse(ts) - Date.parse(asOf) <= LIMITS.endedShownMs);

/** Everything that waits for a person, most urgent first, then the workers that are listed. */
export function listItems(moment: TopMoment): readonly TopItem[] {
  const needs = needsOf(moment).map((need): TopItem => ({ kind: "need", key: keyOfNeed(need), need }));
  const workers = placeWorkers(listedIn(moment)).map((placed): TopItem => ({
    kind: "worker",
    key: placed.worker.peer_id,
    placed,
  }));
  return [...needs, ...workers];
}

/** The worker that an item is about; undefined for a budget of several workers. */
export function workerOfItem(item: TopItem, moment: TopMoment): WorkerView | undefined {
  if (item.kind === "worker") return item.placed.worker;
  return moment.workers.find(({ peer_id: id }) => id === item.need.peerId);
}

/** The open approval of an item: the approval that the item names, else the only open approval of the worker. */
export function approvalOfItem(item: TopItem, { approvals }: TopMoment): MomentApproval | undefined {
  const open = approvals.filter(({ status }) => status === "open");
  if (item.kind === "need") return open.find(({ approvalId }) => approvalId === item.need.approvalId);
  const own = open.filter(({ peerId }) => peerId === item.placed.worker.peer_id);
  return own.length === 1 ? own[0] : undefined;
}
