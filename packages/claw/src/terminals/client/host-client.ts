import type { Socket } from "node:net";
import { connect } from "node:net";
import type { HostOperation, HostPush, HostReply, HostRequest, VersionRange } from "claw-contract";
import { ClawError, commonVersion, errorOfRefusal, isHostPush, isHostReply, LIMITS, VERSIONS } from "claw-contract";
import type { SocketCaller } from "../../process/index.ts";
import { callOver } from "../../process/index.ts";
import { hostMismatch } from "../host-mismatch.ts";

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

const failure = (message: string, operation: string, target: string): ClawError =>
  new ClawError("TERMINAL_HOST_FAILED", message, { operation, target });

const gone = (operation: string, path: string): ClawError =>
  failure("the terminal host does not answer", operation, path);

/** A host that ends the connection at hello does not understand it: hosts of other versions do so. */
const foreign = (path: string): ClawError =>
  new ClawError("PROTOCOL_MISMATCH", "the terminal host does not understand this version of claw", {
    operation: "hello",
    target: path,
    hint: "Another version of claw started it. It ends by itself once its last terminal is closed; terminals.json names its process.",
  });

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
 * Connects to a host, sends the token and agrees on a version of the protocol. Rejects with TERMINAL_HOST_FAILED when no
 * host listens there or the host refuses the token, and with PROTOCOL_MISMATCH when there is no common version.
 */
export async function connectHost(
  { socket: path, token }: HostAddress,
  listener: HostListener,
  versions: VersionRange = VERSIONS.terminalHost,
): Promise<HostClient> {
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
  // A host that was built before the negotiation names no version, and speaks version 1.
  const { version = 1 } = await client.ask("hello", { token, versions });
  const agreed = { oldest: version, newest: version };
  if (commonVersion(versions, agreed) === undefined) {
    client.close();
    throw hostMismatch(agreed, versions);
  }
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
