import type { Socket } from "node:net";
import type { Ask, LineFields, LineReply } from "claw-contract";
import { createAsk, createLineCaller, isLineReply } from "claw-contract";
import { readLines } from "./read-lines.ts";

export interface CallOverOptions {
  readonly maxLineBytes: number;
  /** Most calls that wait for a reply. */
  readonly maxCalls: number;
  /** The error of a call whose connection ended, or that found too many calls waiting. */
  readonly failed: (cmd: string, why: "ended" | "full") => Error;
  /** Receives every frame that is not a reply. */
  readonly push?: (frame: LineFields) => void;
  /** The connection has ended, on either side. Called after all waiting calls were rejected. */
  readonly closed?: () => void;
}

/** The asking end of a socket. */
export interface SocketCaller {
  readonly ask: Ask;
  /** Pauses or resumes reading. */
  pause(on: boolean): void;
  close(): void;
}

/** Asks another process over a socket, in lines of JSON. */
export function callOver(socket: Socket, options: CallOverOptions): SocketCaller {
  const { maxLineBytes, maxCalls, failed, push, closed } = options;
  const caller = createLineCaller<LineReply>({ send: (line) => socket.write(`${line}\n`) });
  readLines(socket, maxLineBytes, (frame) => {
    if (isLineReply(frame)) caller.take(frame.rid, frame);
    else push?.(frame);
    return true;
  });
  socket.on("close", () => {
    caller.end();
    closed?.();
  });
  return {
    ask: createAsk(caller, { maxWaiting: maxCalls, failed }),
    pause: (on) => void (on ? socket.pause() : socket.resume()),
    close: () => {
      caller.end();
      socket.destroy();
    },
  };
}
