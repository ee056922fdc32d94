import type { ApprovalView, Immutable, JsonObject } from "claw-contract";
import { ClawError } from "claw-contract";
import type { ToolWork } from "../claws-tool.ts";
import type { WaitKeep } from "./wait-keep.ts";
import { readForm } from "./approval-form.ts";

export type AskedApproval = Pick<Immutable<ApprovalView>, "approvalId" | "hash">;

/** Refusals that a person is told: another answer came first, or the question is not what was shown. */
const TOLD: ReadonlySet<string> = new Set([
  "APPROVAL_ANSWERED",
  "APPROVAL_CHANGED",
  "APPROVAL_EXPIRED",
  "APPROVAL_NOT_FOUND",
  "BUDGET_EXCEEDED",
  "PUBLISH_INVALID",
  "WORKER_ENDED",
]);

/** Questions that the client of this caller can still be asked. */
export const askable = <Approval extends AskedApproval>(approvals: readonly Approval[], keep: WaitKeep): Approval[] =>
  approvals.filter(({ approvalId }) => !keep.wasLeftOpen(approvalId));

/**
 * Gives a client's answer about an approval to the daemon, bound to the question that was shown. Returns the outcome in
 * a line: the first valid answer of any peer counts.
 */
export async function giveAnswer(
  { approvalId, hash }: AskedApproval,
  response: unknown,
  { host }: Pick<ToolWork, "host">,
  signal: AbortSignal,
): Promise<string> {
  const form = readForm(response);
  if (form === null) {
    host.keep.leaveOpen(approvalId);
    return `${approvalId} stays open: no person decided. Decide with claws_answer, or wait for a person.`;
  }
  const bus = await host.seat.join(signal);
  try {
    await bus.request("approval.answer", { approvalId, hash, ...form });
    return `${approvalId}: ${form.decision} counts.`;
  } catch (error) {
    if (!(error instanceof ClawError) || !TOLD.has(error.code)) throw error;
    return `${approvalId}: this answer came too late or does not fit: ${error.message}.`;
  } finally {
    await bus.close();
  }
}

/** Asks a client of the older era in the call itself. Undefined when no answer came before the signal. */
export async function elicit(
  form: JsonObject,
  { call }: Pick<ToolWork, "call">,
  limits: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<unknown> {
  const request = { method: "elicitation/create", params: form["params"] as never } as const;
  try {
    return await call.sdk.context.mcpReq.send(request, limits);
  } catch {
    return undefined;
  }
}
