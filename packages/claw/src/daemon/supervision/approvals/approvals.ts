import type { ApprovalRule } from "claw-contract";
import { createRedactor, environmentSecrets } from "claw-contract";
import type { BusExtension, BusHost } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { approvalRequests } from "./approval-requests.ts";
import { createApprovalDecisions } from "./approval-decisions.ts";
import { passApproval } from "./approval-gate.ts";
import { createApprovalMemory } from "./approval-memory.ts";

export interface ApprovalOptions {
  readonly registry: Pick<WorkerRegistry, "get" | "lifeOf" | "changesBy">;
  /** Rules by which the user answers approvals beforehand. */
  readonly rules?: readonly ApprovalRule[];
  /** Environment whose secrets are masked in approvals. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Turns workers' questions into approvals, and accepts only one answer for each approval. */
export function createApprovals(host: BusHost, { registry, rules = [], env = {} }: ApprovalOptions): BusExtension {
  const memory = createApprovalMemory(createRedactor({ secrets: environmentSecrets(env) }), registry);
  const { budget } = host;
  const isCapped = (): boolean => budget.spentUsd() >= (budget.capUsd ?? Infinity);
  const decisions = createApprovalDecisions(host, { memory, rules, registry, isCapped });
  return {
    name: "approvals",
    memory: memory.projection,
    requests: approvalRequests({ host, memory, decisions, registry }),
    gate: (peer, event) => passApproval({ host, memory, decisions }, peer, event),
    reactsTo: memory.projection.patterns.filter((pattern) => pattern !== "system.approval.*"),
    logEntries: "ignored",
    react: () => decisions.settle(),
    start: () => decisions.settle(true),
    checkDue: () => decisions.expire(),
  };
}
