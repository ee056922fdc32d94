import type { RequestStates } from "./request-state.ts";
import { createRequestStates } from "./request-state.ts";

/** Questions that a caller left open; beyond the limit, the oldest may be asked again. */
const MAX_LEFT_OPEN = 1000;

/** Memory of one caller between its waiting calls. */
export interface WaitKeep {
  readonly states: RequestStates;
  /** Whether the caller's client was asked about an approval and no person decided. It is not asked again. */
  wasLeftOpen(approvalId: string): boolean;
  leaveOpen(approvalId: string): void;
}

export function createWaitKeep(states: RequestStates = createRequestStates(() => Date.now())): WaitKeep {
  const left = new Set<string>();
  return {
    states,
    wasLeftOpen: (approvalId) => left.has(approvalId),
    leaveOpen: (approvalId) => {
      left.add(approvalId);
      const [oldest] = left;
      if (left.size > MAX_LEFT_OPEN && oldest !== undefined) left.delete(oldest);
    },
  };
}
