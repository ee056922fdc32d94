import type { ApprovalRule } from "@claw/contract";
import { createRedactor, environmentSecrets } from "@claw/contract";
import type { BusContext, BusExtension } from "../../bus/index.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
import { approvalCommands } from "./approval-commands.ts";
import { createApprovalDesk } from "./approval-desk.ts";
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
export function createApprovals(
  context: BusContext,
  { registry, rules = [], env = {} }: ApprovalOptions,
): BusExtension {
  const memory = createApprovalMemory(createRedactor({ secrets: environmentSecrets(env) }), registry);
  const { budget } = context.state;
  const isCapped = (): boolean => budget.spentUsd() >= (budget.limits.capUsd ?? Infinity);
  const desk = createApprovalDesk(context, { memory, rules, registry, isCapped });
  return {
    name: "approvals",
    memory: memory.projection,
    commands: approvalCommands({ memory, desk, registry }),
    gate: (peer, event) => passApproval({ context, memory, desk }, peer, event),
    reactsTo: memory.projection.patterns.filter((pattern) => pattern !== "system.approval.*"),
    react: () => desk.settle(),
    start: () => desk.settle(true),
    checkDue: () => desk.expire(),
  };
}
