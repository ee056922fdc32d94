import type { ApprovalView } from "claw-contract";
import { ClawError } from "claw-contract/client";
import type { PageClient } from "./link.ts";
import type { Refresher } from "./refresher.ts";

export interface Answering {
  readonly approvalId: string;
  /** Hash of the question that the person saw: an answer to another question is refused. */
  readonly hash: string;
  readonly decision: "approve" | "reject";
  readonly chosen?: string;
  readonly reason?: string;
}

/** What a person can do from the page. Each call is one request or one command; each rejects with the daemon's refusal. */
export interface Actions {
  /** Resolves with the approval as it was answered. Refused when the question has changed or was answered before. */
  answer(answer: Answering): Promise<ApprovalView>;
  /** Resolves with the command's place in the log, by which its ladder is found. */
  send(peerId: string, text: string): Promise<number>;
  readonly pause: (peerId: string) => Promise<number>;
  readonly resume: (peerId: string) => Promise<number>;
  abort(peerId: string, reason: string): Promise<number>;
  accept(peerId: string, options: { readonly force: boolean; readonly note?: string }): Promise<void>;
  rework(peerId: string, reason: string): Promise<void>;
}

const missing = (): ClawError =>
  new ClawError("BUS_UNREACHABLE", "the daemon is not connected", { operation: "request", target: "daemon" });

export function createActions(client: () => PageClient | null, refresher: Refresher): Actions {
  const commander = () => {
    const found = client()?.commander;
    if (found === undefined || found === null) throw missing();
    return found;
  };
  const told = async <Reply>(reply: Promise<Reply>): Promise<Reply> => {
    try {
      return await reply;
    } finally {
      refresher.now();
    }
  };
  const sequenceOf = async (receipt: Promise<{ readonly sequence: number }>): Promise<number> =>
    (await told(receipt)).sequence;
  return {
    answer: async (answer) => (await told(commander().request("approval.answer", { ...answer }))).approval,
    send: async (peerId, text) => sequenceOf(commander().injectText(peerId, text)),
    pause: async (peerId) => sequenceOf(commander().pause(peerId)),
    resume: async (peerId) => sequenceOf(commander().resume(peerId)),
    abort: async (peerId, reason) => sequenceOf(commander().abort(peerId, reason)),
    accept: async (worker, { force, note }) => {
      await told(commander().request("worker.accept", { worker, force, ...(note === undefined ? {} : { note }) }));
    },
    rework: async (worker, reason) => {
      await told(commander().request("worker.rework", { worker, reason }));
    },
  };
}
