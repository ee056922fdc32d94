import type { CommandStep } from "../events/families/system.ts";
import { COMMAND_LIMITS } from "./command-limits.ts";

/** Commands that may not wait behind text: they stop what text would only add to. */
const URGENT: ReadonlySet<string> = new Set(["abort", "pause"]);

export const isUrgent = (action: string): boolean => URGENT.has(action);

/** How long a command may stand on a rung, by step. */
export type CommandWaits = Readonly<Partial<Record<CommandStep, number>>>;

export const COMMAND_WAITS: CommandWaits = {
  accepted: COMMAND_LIMITS.commandAcceptedMs,
  queued: COMMAND_LIMITS.commandQueuedMs,
  injected: COMMAND_LIMITS.commandInjectedMs,
  submitted: COMMAND_LIMITS.commandSubmittedMs,
  acked: COMMAND_LIMITS.commandAckedMs,
};

export const URGENT_WAITS: CommandWaits = {
  ...COMMAND_WAITS,
  queued: COMMAND_LIMITS.urgentQueuedMs,
  submitted: COMMAND_LIMITS.urgentSubmittedMs,
  acked: COMMAND_LIMITS.urgentAckedMs,
};

/** What an agent takes as structured input waits there for the end of what it does, as it would have before. */
export const INPUT_WAITS: CommandWaits = {
  ...COMMAND_WAITS,
  injected: COMMAND_LIMITS.commandQueuedMs,
  submitted: COMMAND_LIMITS.commandQueuedMs,
};

/** When a command that reached a step expires, unless it comes further. Null at its end. */
export function commandDeadline(step: CommandStep, at: number, waits: CommandWaits): number | null {
  const wait = waits[step];
  return wait === undefined ? null : at + wait;
}
