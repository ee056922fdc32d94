import { LIMITS } from "claw-contract";

export interface PeerCall {
  readonly requestId: string;
  readonly callerId: string;
  readonly calleeId: string;
  /** Milliseconds. */
  readonly dueAt: number;
  readonly settle: (outcome: CallOutcome) => void;
}

export type CallOutcome =
  | { readonly kind: "answered"; readonly answer: unknown }
  | { readonly kind: "timeout" }
  | { readonly kind: "gone" };

/**
 * Calls between peers that wait for an answer. The log holds none of these calls: the bus tells the caller how its call
 * ended, unless the caller has left.
 */
export interface Calls {
  /** False when the callee has too many open calls already. */
  open(call: PeerCall): boolean;
  of(calleeId: string): readonly PeerCall[];
  /** Ends a call with its answer. An answer from any peer but the callee is ignored. */
  answer(requestId: string, from: string, answer: unknown): void;
  /** Forgets a call that was not passed on. */
  cancel(requestId: string): void;
  /** Ends the calls to a peer that left. Forgets the calls which the peer made. */
  leave(peerId: string): void;
  /** Ends the calls whose time is over. Returns when the next call times out; Infinity when none is open. */
  expire(now: number): number;
}

export function createCalls(): Calls {
  const calls = new Map<string, PeerCall>();
  const end = (call: PeerCall, outcome: CallOutcome): void => {
    if (calls.delete(call.requestId)) call.settle(outcome);
  };
  const of = (calleeId: string): PeerCall[] => [...calls.values()].filter((call) => call.calleeId === calleeId);
  return {
    of,
    open: (call) => {
      if (of(call.calleeId).length >= LIMITS.openCallsPerPeer) return false;
      calls.set(call.requestId, call);
      return true;
    },
    answer: (requestId, from, answer) => {
      const call = calls.get(requestId);
      if (call?.calleeId === from) end(call, { kind: "answered", answer });
    },
    cancel: (requestId) => void calls.delete(requestId),
    leave: (peerId) => {
      for (const call of of(peerId)) end(call, { kind: "gone" });
      for (const call of calls.values()) if (call.callerId === peerId) calls.delete(call.requestId);
    },
    expire: (now) => {
      for (const call of calls.values()) if (call.dueAt <= now) end(call, { kind: "timeout" });
      return Math.min(Infinity, ...[...calls.values()].map(({ dueAt }) => dueAt));
    },
  };
}
