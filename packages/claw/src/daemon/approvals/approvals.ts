import type { ApprovalRule } from "@claw/contract";
import { createRedactor, environmentSecrets } from "@claw/contract";
import type { BusContext, BusExtension } from "../../bus/index.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { approvalCommands } from "./approval-commands.ts";
import { createApprovalDesk } from "./approval-desk.ts";
import { passApproval } from "./approval-gate.ts";
import { createApprovalMemory } from "./approval-memory.ts";

export interface ApprovalOptions {
  readonly fleet: Pick<Fleet, "get">;
  /** Answers that were given beforehand, by somebody who may. */
  readonly rules?: readonly ApprovalRule[];
  /** Its secrets are masked in what is shown. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Makes something to answer out of what workers ask, and holds everybody to one answer. */
export function createApprovals(context: BusContext, { fleet, rules = [], env = {} }: ApprovalOptions): BusExtension {
  const memory = createApprovalMemory(createRedactor({ secrets: environmentSecrets(env) }));
  const { budget } = context.state;
  const isCapped = (): boolean => budget.spentUsd() >= (budget.limits.capUsd ?? Infinity);
  const desk = createApprovalDesk(context, { memory, rules, fleet, isCapped });
  return {
    name: "approvals",
    memory: memory.projection,
    commands: approvalCommands({ memory, desk, fleet }),
    gate: (peer, event) => passApproval({ context, memory, desk }, peer, event),
    reactsTo: memory.projection.patterns.filter((pattern) => pattern !== "system.approval.*"),
    react: () => desk.settle(),
    start: () => desk.settle(true),
    checkDue: () => desk.expire(),
  };
}
