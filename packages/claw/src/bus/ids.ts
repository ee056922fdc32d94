import type { BusState } from "./state/bus-state.ts";

/**
 * Give numbers never used before, by this or an earlier process. Where a function is absent, numbers continue from the
 * log.
 */
export interface Numbers {
  nextPeer(): number;
  nextSubscription(): number;
  nextTask?(): number;
  nextPipeline?(): number;
  nextTerminal?(): number;
}

/** Ids for new things. Each id is new in this workspace. */
export interface Ids {
  nextPeerId(): string;
  nextSubscriptionId(): string;
  nextTaskId(): string;
  nextPipelineId(): string;
  nextTerminalId(): string;
  /** A number for `[CLAWS_CMD seq=`, higher than any before. */
  nextCommandNumber(head: number): number;
}

const hex = (number: number, width: number): string => number.toString(16).padStart(width, "0");

export function createIds(numbers: Numbers, { tasks, pipelines, terminals }: BusState): Ids {
  let lastNumber = 0;
  return {
    nextPeerId: () => `p_${hex(numbers.nextPeer(), 6)}`,
    nextSubscriptionId: () => `s_${hex(numbers.nextSubscription(), 4)}`,
    nextTaskId: () => `t_${String(numbers.nextTask?.() ?? tasks.issue()).padStart(3, "0")}`,
    nextPipelineId: () => `pipe_${String(numbers.nextPipeline?.() ?? pipelines.issue()).padStart(4, "0")}`,
    nextTerminalId: () => String(numbers.nextTerminal?.() ?? terminals.issue()),
    // A command's number never exceeds its event's sequence, so numbers keep growing when a restart begins at the head.
    nextCommandNumber: (head) => (lastNumber = Math.max(lastNumber, head) + 1),
  };
}
