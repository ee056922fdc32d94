import type { Socket } from "node:net";
import { connect } from "node:net";
import type { HostOperation, HostPush, HostReply, HostRequest } from "claw-contract";
import { ClawError, errorOfRefusal, isHostPush, isHostReply, LIMITS } from "claw-contract";
import type { SocketCaller } from "../../process/index.ts";
import { callOver } from "../../process/index.ts";

/** A connection to the terminal host. */
export interface HostClient {
  /**
   * Sends a request and resolves with the reply. Rejects with the host's error, with TERMINAL_HOST_FAILED when the host
   * goes away before or its reply is not what the contract promises, and with the signal's reason.
   */
  ask<Name extends HostOperation>(
    operation: Name,
    request: HostRequest<Name>,
    signal?: AbortSignal,
  ): Promise<HostReply<Name>>;
  /** Pauses or resumes reading from the host. */
  pause(on: boolean): void;
  close(): void;
}

/** Where a host listens, and the token it asks for; null when this process cannot read the token. */
export interface HostAddress {
  readonly socket: string;
  readonly token: string | null;
}

export interface HostListener {
  push(push: HostPush): void;
  /** The connection has ended, on either side. */
  closed(): void;
}

const failure = (message: string, operation: string, target: string, hint?: string): ClawError =>
  new ClawError("TERMINAL_HOST_FAILED", message, { operation, target, ...(hint === undefined ? {} : { hint }) });

const gone = (operation: string, path: string): ClawError =>
  failure("the terminal host does not answer", operation, path);

/** A host that ends the connection at hello does not understand it: hosts of other versions do so. */
const foreign = (path: string): ClawError =>
  failure(
    "the terminal host does not understand this version of claw",
    "hello",
    path,
    "Another version of claw started it. It ends by itself once its last terminal is closed; terminals.json names its process.",
  );

function requestError(cmd: string, why: "ended" | "full", path: string): ClawError {
  if (why === "full") return failure("too many requests wait for the terminal host", cmd, path);
  return cmd === "hello" ? foreign(path) : gone(cmd, path);
}

/** Connects to the socket. Resolves when the connection is open. */
function connectTo(path: string): Promise<Socket> {
  const socket = connect(path);
  return new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(socket));
    socket.once("error", () => reject(gone("connect", path)));
  });
}

/**
 * Connects to a host and sends the token. Rejects with TERMINAL_HOST_FAILED when no host listens there, the host refuses
 * the token, or the host is of another version.
 */
export async function connectHost({ socket: path, token }: HostAddress, listener: HostListener): Promise<HostClient> {
  let isIn = false;
  if (token === null) throw failure("the terminal host's token cannot be read", "hello", path);
  const caller = callOver(await connectTo(path), {
    maxLineBytes: LIMITS.terminalReplyBytes,
    maxCalls: LIMITS.terminalHostCalls,
    failed: (cmd, why) => requestError(cmd, why, path),
    push: (frame) => void (isHostPush(frame) && listener.push(frame)),
    closed: () => void (isIn && listener.closed()),
  });
  const client = typed(caller, path);
  await client.ask("hello", { token });
  isIn = true;
  return client;
}

/** Gives a caller's requests and replies the types of the contract. */
function typed(caller: SocketCaller, path: string): HostClient {
  return {
    ask: async (operation, request, signal) => {
      const reply = await caller.ask(operation, request, signal);
      if (!reply.ok) throw errorOfRefusal(reply, operation, "TERMINAL_HOST_FAILED");
      if (isHostReply(operation, reply)) return reply;
      throw failure(`the terminal host's reply to ${operation} lacks fields`, operation, path);
    },
    pause: (on) => caller.pause(on),
    close: () => caller.close(),
  };
}
