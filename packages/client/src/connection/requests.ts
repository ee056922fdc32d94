import { ClawError, CLIENT_LIMITS, REQUEST_LIMITS, members } from "claw-contract/client";
import type { Link } from "./link.ts";
import { refusalError } from "./wire-error.ts";
import type { WireReply } from "./wire-frame.ts";

interface WaitingRequest {
  readonly cmd: string;
  readonly command: string;
  readonly resolve: (reply: WireReply) => void;
  readonly reject: (error: ClawError) => void;
}

/**
 * Raw requests. A request waits for a connection, but is never sent twice, because it may not be safe to repeat. A
 * request that was sent and not answered when the connection ended is rejected with BUS_UNREACHABLE.
 */
export interface Requests {
  /** Resolves with a reply that is `ok`. Rejects with the bus's refusal, with BUS_UNREACHABLE or with SPOOL_FULL. */
  add(cmd: string, body: Readonly<Record<string, unknown>>): Promise<WireReply>;
  attach(link: Link): void;
  detach(): void;
  fail(error: ClawError): void;
}

export function createRequests(): Requests {
  const unsent = new Set<WaitingRequest>();
  const sent = new Set<WaitingRequest>();
  let attached: Link | undefined;

  const send = (link: Link, waiting: WaitingRequest): void => {
    unsent.delete(waiting);
    sent.add(waiting);
    link.call(waiting.command, (reply) => {
      if (!sent.delete(waiting)) return;
      if (reply === undefined) waiting.reject(lost(waiting.cmd));
      else if (reply.ok) waiting.resolve(reply);
      else waiting.reject(refusalError("request", waiting.cmd, reply));
    });
  };
  return {
    add: (cmd, body) =>
      new Promise((resolve, reject) => {
        const command = members({ cmd, ...body });
        if (unsent.size + sent.size >= CLIENT_LIMITS.pendingRequests) return reject(refusedError("SPOOL_FULL", cmd));
        if (command.length > REQUEST_LIMITS.requestLineBytes / 3) return reject(refusedError("REQUEST_TOO_LARGE", cmd));
        const waiting: WaitingRequest = { cmd, command, resolve, reject };
        unsent.add(waiting);
        if (attached !== undefined) send(attached, waiting);
        return undefined;
      }),
    attach: (link) => {
      attached = link;
      for (const waiting of unsent) send(link, waiting);
    },
    detach: () => {
      attached = undefined;
    },
    fail: (error) => {
      for (const waiting of [...unsent, ...sent]) waiting.reject(error);
      unsent.clear();
      sent.clear();
    },
  };
}

const lost = (target: string): ClawError =>
  new ClawError("BUS_UNREACHABLE", "the connection ended before the answer came", { operation: "request", target });

const refusedError = (code: "SPOOL_FULL" | "REQUEST_TOO_LARGE", target: string): ClawError =>
  new ClawError(code, code === "SPOOL_FULL" ? "too many commands wait for an answer" : "the command is too large", {
    operation: "request",
    target,
  });
