import type { Socket } from "node:net";
import type { LineFields, LineReply } from "claw-contract";
import { callOver } from "./call-over.ts";

export interface AskOnceOptions {
  readonly maxLineBytes: number;
  readonly signal?: AbortSignal;
}

/**
 * Sends one request over a new socket, and closes the socket after the reply. Resolves with undefined when the other end
 * hangs up without a reply, and when the signal is aborted. Rejects with the socket's error.
 */
export async function askOnce(
  socket: Socket,
  cmd: string,
  fields: LineFields,
  { maxLineBytes, signal }: AskOnceOptions,
): Promise<LineReply | undefined> {
  const broken = new Promise<never>((_resolve, reject) => void socket.once("error", reject));
  // After the reply, the socket's error concerns no request any more.
  broken.catch(() => undefined);
  const failed = (): Error => new Error("the other end hung up");
  const caller = callOver(socket, { maxLineBytes, maxCalls: 1, failed });
  try {
    return await Promise.race([broken, caller.ask(cmd, fields, signal).catch(() => undefined)]);
  } finally {
    caller.close();
  }
}
