import type { Socket } from "node:net";
import type { LineFields, LineRequest } from "claw-contract";
import { createLineAnswerer, isLineRequest, onAbort } from "claw-contract";
import { readLines } from "./read-lines.ts";

export interface AnswerOverOptions {
  readonly maxLineBytes: number;
  /** Requests at work at the same time; further requests are refused with the error of `tooMany`. */
  readonly maxCalls: number;
  readonly tooMany: (request: LineRequest) => Error;
  /** Requests answered one after the other, when the socket has room for the reply. */
  readonly inTurn?: { readonly commands: ReadonlySet<string>; readonly max: number };
  /** Bytes that may wait to be sent before the socket counts as congested. */
  readonly backlogBytes: number;
  /**
   * Does the work of a request. The signal is aborted when the caller gives the request up, and when the connection
   * ends.
   */
  readonly answer: (request: LineRequest, signal: AbortSignal) => LineFields | Promise<LineFields>;
  /** The fields of a reply that refuses a request. */
  readonly refuse: (error: unknown) => LineFields;
  /** The socket has room again. */
  readonly drained?: () => void;
  /** The connection has ended, on either side. */
  readonly closed?: () => void;
}

/** The answering end of a socket. */
export interface SocketAnswerer {
  /** Sends a frame without a request. */
  push(frame: LineFields): void;
  congested(): boolean;
}

/** Answers another process over a socket, in lines of JSON. A frame that is no request ends the connection. */
export function answerOver(socket: Socket, options: AnswerOverOptions): SocketAnswerer {
  const { answer, inTurn, backlogBytes } = options;
  const send = (line: string): void => void (socket.writable && socket.write(`${line}\n`));
  const congested = (): boolean => socket.writable && socket.writableLength > backlogBytes;
  const answerer = createLineAnswerer({
    ...options,
    send,
    congested,
    answer: async (request, signal) => {
      const work = new AbortController();
      const stop = onAbort(signal, () => work.abort(new Error("the caller gave the request up")));
      return Promise.resolve(answer(request, work.signal)).finally(stop);
    },
    isInTurn: (cmd) => inTurn?.commands.has(cmd) ?? false,
    maxInTurn: inTurn?.max ?? 0,
    pause: (on) => void (on ? socket.pause() : socket.resume()),
  });
  readLines(socket, options.maxLineBytes, (frame) => {
    if (!isLineRequest(frame)) return false;
    answerer.take(frame);
    return true;
  });
  socket.on("drain", () => {
    answerer.drained();
    options.drained?.();
  });
  socket.on("close", () => {
    answerer.end();
    options.closed?.();
  });
  return { push: (frame) => send(JSON.stringify(frame)), congested };
}
