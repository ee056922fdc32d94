import { ClawError, CLIENT_LIMITS, REQUEST_LIMITS, members } from "claw-contract/client";
import type { Link } from "./link.ts";
import { refusalError } from "./wire-error.ts";
import type { WireReply } from "./wire-frame.ts";

/** `callForText` for a reply that is not parsed: its only field is `line`. */
type CallName = "call" | "callForText";

type RequestBody = Readonly<Record<string, unknown>>;

interface WaitingRequest {
  readonly cmd: string;
  readonly command: string;
  /** Whether all that the request needs is there. */
  isPrepared: boolean;
  readonly how: CallName;
  readonly resolve: (reply: WireReply) => void;
  readonly reject: (error: ClawError) => void;
}

/**
 * Raw requests. A request waits for a connection, but is never sent twice, because it may not be safe to repeat. A
 * request that was sent and not answered when the connection ended is rejected with BUS_UNREACHABLE.
 */
export interface Requests {
  /**
   * Takes the request as it is now, and sends it when `prepared` has resolved. Resolves with a reply that is `ok`. Rejects
   * with the bus's refusal, with BUS_UNREACHABLE, with SPOOL_FULL, or with the error of `prepared`: then nothing was sent.
   */
  add(cmd: string, body: RequestBody, prepared: Promise<unknown>, how?: CallName): Promise<WireReply>;
  attach(link: Link): void;
  detach(): void;
  fail(error: ClawError): void;
}

function settle({ cmd, resolve, reject }: WaitingRequest, reply: WireReply | undefined): void {
  if (reply === undefined) reject(lost(cmd));
  else if (reply.ok) resolve(reply);
  else reject(refusalError("request", cmd, reply));
}

export function createRequests(): Requests {
  const unsent = new Set<WaitingRequest>();
  const sent = new Set<WaitingRequest>();
  let attached: Link | undefined;

  const send = (link: Link, waiting: WaitingRequest): void => {
    unsent.delete(waiting);
    sent.add(waiting);
    link[waiting.how](waiting.command, (reply) => {
      if (sent.delete(waiting)) settle(waiting, reply);
    });
  };
  const sendWhen = async (waiting: WaitingRequest, prepared: Promise<unknown>): Promise<void> => {
    try {
      await prepared;
    } catch (error) {
      unsent.delete(waiting);
      return waiting.reject(error as ClawError);
    }
    waiting.isPrepared = true;
    if (attached !== undefined && unsent.has(waiting)) send(attached, waiting);
  };
  return {
    add: (cmd, body, prepared, how = "call") =>
      new Promise((resolve, reject) => {
        const command = members({ cmd, ...body });
        const refusal = refusalOf(cmd, command, unsent.size + sent.size);
        if (refusal !== undefined) return reject(refusal);
        const waiting: WaitingRequest = { cmd, command, how, isPrepared: false, resolve, reject };
        unsent.add(waiting);
        return void sendWhen(waiting, prepared);
      }),
    attach: (link) => {
      attached = link;
      for (const waiting of unsent) if (waiting.isPrepared) send(link, waiting);
    },
    detach: () => void (attached = undefined),
    fail: (error) => {
      for (const waiting of [...unsent, ...sent]) waiting.reject(error);
      unsent.clear();
      sent.clear();
    },
  };
}

function refusalOf(target: string, command: string, waiting: number): ClawError | undefined {
  if (waiting >= CLIENT_LIMITS.pendingRequests) {
    return new ClawError("SPOOL_FULL", "too many commands wait for an answer", { operation: "request", target });
  }
  if (command.length <= REQUEST_LIMITS.requestLineBytes / 3) return undefined;
  return new ClawError("REQUEST_TOO_LARGE", "the command is too large", { operation: "request", target });
}

const lost = (target: string): ClawError =>
  new ClawError("BUS_UNREACHABLE", "the connection ended before the answer came", { operation: "request", target });
