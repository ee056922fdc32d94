import { ClawError, CLIENT_LIMITS, LIMITS, members, isReplyTo, misfitIn } from "claw-contract";
import type { ReceivedReply, RequestName } from "claw-contract";
import type { Link } from "./link.ts";
import { refusalError, misfitError } from "./wire-error.ts";
import type { WireReply } from "./wire-frame.ts";

/**
 * Sends a request of the contract. Resolves with a reply that has the promised fields; rejects as `Requests.add`, and
 * with BUS_INCOMPATIBLE when a field is not as promised.
 */
export async function askContract<Name extends RequestName>(
  requests: Pick<Requests, "add">,
  name: Name,
  fields: Readonly<Record<string, unknown>>,
): Promise<ReceivedReply<Name>> {
  const reply = await requests.add(name, fields);
  if (isReplyTo(name, reply)) return reply;
  throw misfitError(name, misfitIn(name, reply) ?? "");
}

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
        if (command.length > LIMITS.requestLineBytes / 3) return reject(refusedError("REQUEST_TOO_LARGE", cmd));
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
