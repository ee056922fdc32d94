import { ClawError } from "claw-contract";
import type { ListedApproval } from "./approval-list.ts";
import { approvalOf, findApproval, askApprovals, needsChoice } from "./approval-list.ts";
import { approvalText } from "./approval-text.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { Paint } from "../../runtime/paint.ts";
import { onBus } from "../../bus/ask-bus.ts";

export interface AnswerRequest<Decision extends string> {
  readonly decision: Decision;
  readonly approval?: string | undefined;
  /** Hash of the question that the caller has read. */
  readonly hash?: string | undefined;
  readonly choose?: string | undefined;
  readonly reason?: string | undefined;
  readonly dryRun: boolean;
}

export interface AnswerOutput<Decision extends string> {
  approval_id: string;
  decision: Decision;
  approval: ListedApproval;
  effect: "updated" | "noop" | "would_update";
  would_affect?: string[];
}

function checkChoice(approval: ListedApproval, choose: string | undefined, decision: string): void {
  const { options } = approval;
  const isNeeded = decision === "approve" && needsChoice(approval);
  const isWrong = choose !== undefined && options.length > 0 && !options.some(({ id }) => id === choose);
  if (!isWrong && (choose !== undefined || !isNeeded)) return;
  const ids = options.map(({ id }) => id).join(", ");
  throw new ClawError(
    "INVALID_FLAG_VALUE",
    isWrong ? `${choose} is not an option` : "the question has several options; choose one",
    {
      operation: "parse_arguments",
      target: "--choose",
      hint: `Name one with --choose: ${ids}.`,
    },
  );
}

function checkHash({ approval_id: approvalId, hash }: ListedApproval, read: string | undefined): void {
  if (read === undefined || read === hash) return;
  throw new ClawError("APPROVAL_CHANGED", "the question is not the one that was read", {
    operation: "answer_approval",
    target: approvalId,
  });
}

/** Answers what a worker asks for, as the person at the terminal. The first answer counts. */
export async function answerApproval<const Decision extends "approve" | "reject">(
  { decision, approval: named, hash, choose, reason, dryRun }: AnswerRequest<Decision>,
  ports: Ports,
): Promise<AnswerOutput<Decision>> {
  return onBus(ports, async (bus) => {
    const approval = findApproval(await askApprovals(bus, true), named);
    const { approval_id: approvalId, status } = approval;
    checkHash(approval, hash);
    if (status === "open") checkChoice(approval, choose, decision);
    if (dryRun && status === "open") {
      return { approval_id: approvalId, decision, approval, effect: "would_update", would_affect: [approvalId] };
    }
    const chosen = choose === undefined ? {} : { chosen: choose };
    const why = reason === undefined ? {} : { reason };
    const { approval: answered, duplicate } = await bus.request("approval.answer", {
      approvalId,
      decision,
      ...(hash === undefined ? {} : { hash }),
      ...chosen,
      ...why,
    });
    const effect = duplicate ? "noop" : "updated";
    return { approval_id: approvalId, decision, approval: approvalOf(answered), effect };
  });
}

type Shown = Omit<AnswerOutput<string>, "effect" | "would_affect"> & { readonly effect: string };

/** Shows the decision and the whole approval. */
export function showAnswer({ decision, approval, effect }: Shown, paint: Paint): string {
  const [done, would] = decision === "approve" ? ["Approved", "Would approve"] : ["Rejected", "Would reject"];
  const chosen = approval.chosen === null ? "" : `: ${approval.chosen}`;
  const colour = decision === "approve" ? paint.green : paint.red;
  return `${effect === "would_update" ? would : colour(done)}${chosen}\n${approvalText(approval, paint)}`;
}
