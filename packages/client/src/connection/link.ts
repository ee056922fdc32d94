import type { OnReply } from "claw-contract";
import { createLineCaller, CLIENT_LIMITS } from "claw-contract/client";
import type { Channel } from "./channel.ts";
import type { PushFrame, WireReply } from "./wire-frame.ts";
import { readFrame } from "./wire-frame.ts";
import type { Timer } from "../platform.ts";

/**
 * Asks a silent connection for a sign of life and gives it up when none comes, because a machine that went away does
 * not say so. What it returns stops it.
 */
export function keepAlive(link: Link, timer: Timer): () => void {
  let cancel: () => void;
  let seen = -1;
  let asked = false;
  const check = (): void => {
    const received = link.received();
    const silent = received === seen;
    seen = received;
    if (silent && asked) return link.close();
    asked = silent;
    if (silent) link.call('"cmd":"ping"', () => undefined);
    cancel = timer.after(CLIENT_LIMITS.silenceMs, check);
    return undefined;
  };
  cancel = timer.after(CLIENT_LIMITS.silenceMs, check);
  return () => cancel();
}

/** One connection, from its opening to its end: requests go out, replies and pushes come in. */
export interface Link {
  /**
   * Sends a request, given as JSON members without braces. `onReply` runs before any later frame is handled. Returns
   * false when the sender should wait for `drained`.
   */
  call(command: string, onReply: OnReply<WireReply>): boolean;
  /** Like `call`, for a reply that is not parsed when it is `ok`: `line` of the reply is its text, and its only field. */
  callForText(command: string, onReply: OnReply<WireReply>): boolean;
  drained(): Promise<void>;
  /** Number of frames received so far, of any kind. */
  received(): number;
  /** Reads until the connection ends, then calls each waiting `onReply` with undefined. Called once; never rejects. */
  run(onPush: (push: PushFrame, size: number) => void): Promise<void>;
  close(): void;
}

/** How a reply to a request that succeeded begins. */
const OK_REPLY = /^\{"id":(\d{1,15}),"protocol":"claws\/1","ok":true,/;

export function createLink(channel: Channel): Link {
  const caller = createLineCaller<WireReply>({ send: (line) => channel.send(line) });
  /** The numbers of calls whose replies are wanted as text. */
  const forText = new Set<number>();
  let received = 0;

  /** Whether the line answers a call for text. */
  const takeText = (line: string): boolean => {
    const id = Number(OK_REPLY.exec(line)?.[1]);
    if (!forText.delete(id)) return false;
    caller.take(id, { ok: true, line });
    return true;
  };

  const take = (line: string, onPush: (push: PushFrame, size: number) => void): void => {
    received += 1;
    if (forText.size > 0 && takeText(line)) return;
    const frame = readFrame(line);
    if (frame.kind === "push") onPush(frame.push, line.length);
    if (frame.kind !== "reply") return;
    const { id, reply } = frame;
    caller.take(id, forText.delete(id) && reply.ok ? { ok: true, line } : reply);
  };
  return {
    call: (command, onReply) => caller.call(command, onReply),
    callForText: (command, onReply) => {
      forText.add(caller.newest() + 1);
      return caller.call(command, onReply);
    },
    drained: () => channel.drained(),
    received: () => received,
    run: async (onPush) => {
      for (let lines = await channel.receive(); lines.length > 0; lines = await channel.receive()) {
        for (const line of lines) take(line, onPush);
      }
      caller.end();
    },
    close: () => channel.close(),
  };
}
