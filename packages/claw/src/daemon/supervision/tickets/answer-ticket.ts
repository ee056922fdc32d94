import type { ReplyFields } from "claw-contract";
import type { Done, PeerRequest, RequestOutcome } from "../../../bus/index.ts";
import { error, ok, storageCode, WRITE_FAILED } from "../../../bus/index.ts";
import type { TicketRecord } from "./ticket-book.ts";
import type { TicketSight } from "./ticket-view.ts";
import { isChildOf } from "./ticket-view.ts";

type Verdict = ReplyFields<"ticket.answer">;
type Call = PeerRequest<"ticket.answer">;

/** Codes of refusals that mean: another answer, the deadline or the worker's end came first. */
const LATE: ReadonlySet<unknown> = new Set([
  "APPROVAL_ANSWERED",
  "APPROVAL_CHANGED",
  "APPROVAL_EXPIRED",
  "APPROVAL_NOT_FOUND",
  "WORKER_ENDED",
]);

const codeIn = (more: { readonly code?: unknown } | undefined): unknown => more?.code;

function verdictOf({ request }: Call, outcome: RequestOutcome): Verdict {
  const { approvalId, decision } = request;
  if (outcome.kind !== "error") return { outcome: "counted", note: `${approvalId}: ${decision} counts` };
  return { outcome: LATE.has(codeIn(outcome.more)) ? "late" : "refused", note: outcome.error };
}

/** Stores the verdict on an answer, so that the ticket does not ask again after a restart. */
function remember(
  { host }: TicketSight,
  { ticket }: TicketRecord,
  given: [Call, Verdict],
  done: Done<"ticket.answer">,
) {
  const [{ request }, verdict] = given;
  const payload = { ticket, approvalId: request.approvalId, ...verdict, ts: host.timestamp() };
  host.publish([{ topic: "system.ticket.answered", payload }], (failure) =>
    done(failure === undefined ? ok(verdict) : error(WRITE_FAILED, storageCode(failure))),
  );
}

/** Why a ticket takes no answer to an approval; undefined when it does. */
function whyIgnored(sight: TicketSight, record: TicketRecord, approvalId: string): string | undefined {
  const { owner, workers, answers, status } = record;
  const before = answers.find((answer) => answer.approvalId === approvalId);
  if (before !== undefined) return `${approvalId} was dealt with: ${before.note}`;
  if (status !== "open") return `the ticket is ${status}`;
  const peerId = sight.approvals.get(approvalId)?.peerId;
  const isOwn = peerId !== undefined && workers.some((worker) => worker.peerId === peerId);
  return isOwn && isChildOf(sight, peerId, owner) ? undefined : `the ticket does not ask ${approvalId.slice(0, 100)}`;
}

/**
 * Answers an approval that the ticket asks. The first valid answer of any peer counts, and a later one is told so. The
 * ticket does not ask the same twice: clients answer a key once.
 */
export function answerTicket(sight: TicketSight, record: TicketRecord, call: Call, done: Done<"ticket.answer">): void {
  const { approvalId, decision, chosen, reason, hash } = call.request;
  const ignored = whyIgnored(sight, record, approvalId);
  if (ignored !== undefined) return done(ok({ outcome: "ignored", note: ignored }));
  if (decision === null) {
    const note = `${approvalId} stays open: no person decided`;
    return remember(sight, record, [call, { outcome: "left_open", note }], done);
  }
  const request = { approvalId, decision, chosen, reason, hash };
  return sight.approvals.answer({ ...call, request }, (outcome) =>
    remember(sight, record, [call, verdictOf(call, outcome)], done),
  );
}
