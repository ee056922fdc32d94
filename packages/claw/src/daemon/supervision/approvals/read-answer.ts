import { nonEmptyText, chooseOption, findRule } from "claw-contract";
import type { ApprovalAnswer, ApprovalRecord, ApprovalRule } from "claw-contract";
import { fieldsOf } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";

/** A command that may answer a request. */
export interface RawAnswer {
  readonly action: string;
  readonly requestId: string;
  /** Peer the command is for; undefined when the command is for every worker. */
  readonly peerId: string | undefined;
  readonly chosen: string | undefined;
  readonly reason: string | undefined;
  /** The approval the command answers, when the server made the command. */
  readonly approvalId: string | undefined;
}

const correlationIn = (payload: unknown): unknown =>
  fieldsOf(payload)["correlation_id"] ??
  (typeof payload === "object" && payload !== null && "correlation_id" in payload ? payload.correlation_id : undefined);

/** Reads `cmd.<peer>.<action>` and `cmd.role.<role>`; undefined for events that answer no request. */
export function readApprovalAnswer(topic: string, from: string, payload: unknown): RawAnswer | undefined {
  const [family, target = "", ...rest] = topic.split(".");
  if (family !== "cmd" || rest.length === 0) return undefined;
  const fields = fieldsOf(payload);
  const isForRole = target === "role";
  const action = isForRole ? nonEmptyText(fields["command"]) : rest.join(".");
  const requestId = nonEmptyText(correlationIn(payload));
  // A worker's `ack` of a command is no answer, and a worker cannot answer its own question.
  if (action === undefined || action === "ack" || requestId === undefined || target === from) return undefined;
  if (isForRole && rest[0] !== "worker") return undefined;
  const inner = fieldsOf(fields["payload"]);
  return {
    action,
    requestId,
    peerId: isForRole ? undefined : target,
    chosen: nonEmptyText(inner["chosen"]) ?? nonEmptyText(fields["chosen"]),
    reason: nonEmptyText(fields["reason"]) ?? nonEmptyText(inner["reason"]),
    approvalId: nonEmptyText(fields["approval_id"]),
  };
}

export interface RuleDeps {
  readonly rules: readonly ApprovalRule[];
  readonly registry: Pick<WorkerRegistry, "get">;
  /** Whether the workspace's budget is spent. Then no rule may approve. */
  readonly isCapped: () => boolean;
}

/** The answer of the rule that matches; undefined when a person has to answer. */
export function ruleAnswer(deps: RuleDeps, { opened }: ApprovalRecord, ts: string): ApprovalAnswer | undefined {
  const { peerId, subject, kind, options } = opened;
  const worker = deps.registry.get(peerId);
  const isWhole = opened["cut"] !== true && opened["masked"] !== true;
  const asked = { harness: worker?.spawned?.harness ?? null, worker: worker?.name ?? peerId, subject, isWhole };
  const rule = findRule(deps.rules, asked);
  if (rule === undefined || (rule.decision === "approve" && deps.isCapped())) return undefined;
  const choice = chooseOption({ kind, options, decision: rule.decision, chosen: rule.chosen });
  if (choice.kind !== "chosen") return undefined;
  return { decision: rule.decision, chosen: choice.chosen, reason: null, by: "server", rule: rule.id, ts };
}
