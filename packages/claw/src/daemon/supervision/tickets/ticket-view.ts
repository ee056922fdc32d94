import type { ApprovalView, Immutable, ReplyFields, WorkerOutcome } from "claw-contract";
import { isoTime } from "claw-contract";
import type { BusHost } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import type { Approvals } from "../approvals/approvals.ts";
import type { TicketRecord } from "./ticket-book.ts";
import type { WorkerFacts } from "./worker-outcomes.ts";
import { outcomeOf } from "./worker-outcomes.ts";

export interface TicketSight extends WorkerFacts {
  readonly host: BusHost;
  readonly registry: Pick<WorkerRegistry, "get" | "find" | "all">;
  readonly approvals: Pick<Approvals, "openOf" | "get" | "answer">;
}

/** Whether a peer started a worker, by its own account at the start. */
export const isChildOf = ({ registry }: Pick<TicketSight, "registry">, peerId: string, owner: string): boolean =>
  registry.get(peerId)?.parentId === owner;

/** Open approvals of workers that the owner started. */
export const ownApprovals = (
  sight: TicketSight,
  owner: string,
  peerIds: readonly string[],
): readonly Immutable<ApprovalView>[] =>
  peerIds.filter((peerId) => isChildOf(sight, peerId, owner)).flatMap((peerId) => sight.approvals.openOf(peerId));

/** Open approvals that a ticket has not asked about. A key of a ticket is never used for a second question. */
export function askedBy(sight: TicketSight, { owner, workers, answers, status }: TicketRecord) {
  if (status !== "open") return [];
  const known = new Set(answers.map(({ approvalId }) => approvalId));
  const peerIds = workers.map(({ peerId }) => peerId);
  return ownApprovals(sight, owner, peerIds).filter(({ approvalId }) => !known.has(approvalId));
}

export const outcomesNow = (sight: TicketSight, { workers, goal }: TicketRecord): WorkerOutcome[] =>
  workers.map(({ peerId, name }) => outcomeOf(sight, peerId, { name, goal }));

/** When a fact that the ticket shows changed last, in milliseconds. */
function updatedAt(sight: TicketSight, record: TicketRecord, approvals: readonly Immutable<ApprovalView>[]): number {
  const { status, closedAt, answeredAt, workers } = record;
  if (status !== "open") return Math.max(closedAt ?? 0, answeredAt);
  const states = workers.flatMap(({ peerId }) => sight.view(peerId)?.as_of ?? []);
  return Math.max(answeredAt, ...[...states, ...approvals.map(({ ts }) => ts)].map((text) => Date.parse(text)));
}

/** The ticket as its owner sees it. A closed ticket always shows the same outcomes. */
export function ticketViewOf(sight: TicketSight, record: TicketRecord): Immutable<ReplyFields<"ticket.show">> {
  const { host } = sight;
  const { status, goal, started, openedAt, openedSequence, closedSequence, ttlMs, refused, answers } = record;
  const approvals = askedBy(sight, record);
  return {
    status,
    goal,
    started,
    ttlMs,
    refused,
    answers,
    approvals,
    opened: isoTime(openedAt),
    updated: isoTime(updatedAt(sight, record, approvals)),
    cursor: host.cursorAt(closedSequence ?? host.headSequence()),
    from: host.cursorAt(openedSequence - 1),
    workers: record.outcomes ?? outcomesNow(sight, record),
  };
}
