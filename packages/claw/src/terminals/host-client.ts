import type { Socket } from "node:net";
import { connect } from "node:net";
import { ClawError, createLineFramer } from "@claw/contract";
import type { HostPush, HostReply } from "./host-wire.ts";
import { errorOf } from "./host-wire.ts";

/** A connection to the terminal host. */
export interface HostClient {
  /**
   * Sends a request and resolves with the reply. Rejects with the host's error, with TERMINAL_HOST_FAILED when the host
   * goes away before, and with the signal's reason.
   */
  ask(
    op: string,
    body?: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Pauses or resumes reading from the host. */
  pause(on: boolean): void;
  close(): void;
}

/** Where a host listens, and the token it asks for. */
export interface HostAddress {
  readonly socket: string;
  readonly token: string | null;
}

export interface HostListener {
  push(push: HostPush): void;
  /** The connection has ended, on either side. */
  closed(): void;
}

interface Waiting {
  readonly op: string;
  readonly answer: (reply: HostReply) => void;
  readonly fail: (error: ClawError) => void;
}

/** Output of 64 KiB as base64, and screens. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const gone = (operation: string, target: string): ClawError =>
  new ClawError("TERMINAL_HOST_FAILED", "the terminal host does not answer", { operation, target });

const isPush = (frame: HostReply | HostPush): frame is HostPush => Object.hasOwn(frame, "push");

function readFrames(socket: Socket, take: (frame: HostReply | HostPush) => void): void {
  const framer = createLineFramer({ maxLineBytes: MAX_LINE_BYTES });
  socket.on("data", (chunk: Buffer) => {
    for (const line of framer.push(chunk)) {
      if (line.kind === "line") take(JSON.parse(Buffer.from(line.bytes).toString("utf8")) as HostReply | HostPush);
    }
  });
}

/** Connects to the socket. Resolves when the connection is open. */
function open(path: string): Promise<Socket> {
  const socket = connect(path);
  return new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(socket));
    socket.once("error", () => reject(gone("connect", path)));
  });
}

/**
 * Connects to a host and sends the token. Rejects with TERMINAL_HOST_FAILED when no host listens there, or the host
 * refuses the token.
 */
export async function connectHost({ socket: path, token }: HostAddress, listener: HostListener): Promise<HostClient> {
  let isIn = false;
  const closed = (): void => void (isIn && listener.closed());
  const client = talk(await open(path), path, { push: (push) => listener.push(push), closed });
  // A host of an older version stores no token and asks for none.
  if (token !== null) await client.ask("hello", { token });
  isIn = true;
  return client;
}

function talk(socket: Socket, path: string, listener: HostListener): HostClient {
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  readFrames(socket, (frame) => {
    if (isPush(frame)) return listener.push(frame);
    const call = waiting.get(frame.n);
    waiting.delete(frame.n);
    return call?.answer(frame);
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    for (const { op, fail } of waiting.values()) fail(gone(op, path));
    waiting.clear();
    listener.closed();
  });
  const send = (frame: Readonly<Record<string, unknown>>): void => void socket.write(`${JSON.stringify(frame)}\n`);
  return {
    ask: (op, body = {}, signal) =>
      new Promise((resolve, reject) => {
        const n = (asked += 1);
        if (socket.destroyed) return reject(gone(op, path));
        if (signal?.aborted === true) return reject(signal.reason as Error);
        const abort = (): void => {
          waiting.delete(n);
          send({ n: (asked += 1), op: "cancel", call: n });
          reject(signal?.reason as Error);
        };
        const settled = (work: () => void): void => {
          signal?.removeEventListener("abort", abort);
          work();
        };
        signal?.addEventListener("abort", abort, { once: true });
        waiting.set(n, {
          op,
          answer: (reply) => settled(() => (reply.ok ? resolve(reply) : reject(errorOf(reply, op)))),
          fail: (error) => settled(() => reject(error)),
        });
        return send({ n, op, ...body });
      }),
    pause: (on) => void (on ? socket.pause() : socket.resume()),
    close: () => void socket.destroy(),
  };
}
