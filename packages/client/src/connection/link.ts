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
  drained(): Promise<void>;
  /** Number of frames received so far, of any kind. */
  received(): number;
  /** Reads until the connection ends, then calls each waiting `onReply` with undefined. Called once; never rejects. */
  run(onPush: (push: PushFrame, size: number) => void): Promise<void>;
  close(): void;
}

export function createLink(channel: Channel): Link {
  const caller = createLineCaller<WireReply>({ send: (line) => channel.send(line) });
  let received = 0;

  const take = (line: string, onPush: (push: PushFrame, size: number) => void): void => {
    received += 1;
    const frame = readFrame(line);
    if (frame.kind === "push") onPush(frame.push, line.length);
    if (frame.kind === "reply") caller.take(frame.id, frame.reply);
  };
  return {
    call: (command, onReply) => caller.call(command, onReply),
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
