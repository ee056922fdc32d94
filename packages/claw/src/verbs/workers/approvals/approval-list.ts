import type { Observer, Orchestrator } from "claw-client";
import type { ApprovalView, VerbOutput } from "claw-contract";
import { ClawError, cutChars } from "claw-contract";

export type ListedApproval = VerbOutput<"approvals">["approvals"][number];

/** An approval as claw spells it. */
export function approvalOf(approval: ApprovalView): ListedApproval {
  const { outcome } = approval;
  const answered = outcome?.kind === "answered" ? outcome : undefined;
  return {
    approval_id: approval.approvalId,
    peer_id: approval.peerId,
    worker: approval.worker,
    request_id: approval.requestId,
    kind: approval.kind,
    message: approval.message,
    subject: { ...approval.subject },
    hash: approval.hash,
    cut: approval.cut === true,
    masked: approval.masked === true,
    options: approval.options,
    opened_at: approval.ts,
    deadline: approval.deadline,
    status: approval.status,
    decision: answered?.decision ?? null,
    chosen: answered?.chosen ?? null,
    reason: outcome?.reason ?? null,
    by: answered?.by ?? null,
    rule: answered?.rule ?? null,
  };
}

/** Whether an approval is refused until it names an option. */
export const needsChoice = ({ kind, options }: Pick<ListedApproval, "kind" | "options">): boolean =>
  kind === "REQUEST" && options.length > 1;

export async function askApprovals(bus: Observer | Orchestrator, isAll: boolean): Promise<ListedApproval[]> {
  const { approvals } = await bus.request("approval.list", { all: isAll });
  return approvals.map(approvalOf);
}

/** How many approvals an error message names, and how many characters of each question it shows. */
const NAMED = 10;
const NAMED_CHARS = 80;

function namesOf(entries: readonly ListedApproval[]): string {
  const named = entries
    .slice(0, NAMED)
    .map(
      ({ approval_id: id, worker, message }) => `${id} (${worker}: ${cutChars(message, NAMED_CHARS, NAMED_CHARS - 1)})`,
    );
  const more = entries.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

const notFound = (text: string, target: string, hint?: string): ClawError =>
  new ClawError("APPROVAL_NOT_FOUND", text, {
    operation: "find_approval",
    target,
    ...(hint === undefined ? {} : { hint }),
  });

/**
 * Finds an approval by its id, by a unique prefix of the id, or by the worker that asks. Never guesses: without a name,
 * or when several approvals fit, the error lists the candidates.
 */
export function findApproval(all: readonly ListedApproval[], named: string | undefined): ListedApproval {
  const open = all.filter(({ status }) => status === "open");
  if (named === undefined || named === "") {
    const there = open.length === 0 ? "nothing is open" : `open are ${namesOf(open)}`;
    throw new ClawError("MISSING_ARGUMENT", `say which: ${there}`, {
      operation: "find_approval",
      target: "APPROVAL",
      hint: "List the open questions: claw approvals.",
    });
  }
  const exact = all.find(({ approval_id: id }) => id === named);
  if (exact !== undefined) return exact;
  const byWorker = open.filter(({ peer_id: id, worker }) => id === named || worker === named);
  const byPrefix = all.filter(({ approval_id: id }) => id.startsWith(named) || id.startsWith(`ap_${named}`));
  const found = byWorker.length > 0 ? byWorker : byPrefix;
  const [only, ...others] = found;
  if (only === undefined) throw notFound(`nothing is asked as ${named}, nor by a worker of that name`, named);
  if (others.length === 0) return only;
  throw notFound(`${named} fits several: ${namesOf(found)}`, named, "Name one of them by its id.");
}
