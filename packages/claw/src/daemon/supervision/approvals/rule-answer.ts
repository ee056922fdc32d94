import type { ApprovalAnswer, ApprovalRecord, ApprovalRule } from "claw-contract";
import { chooseOption, findRule } from "claw-contract";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";

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
