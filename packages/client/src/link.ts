import type { Channel } from "./channel.ts";
import type { PushFrame, Reply } from "./wire-frame.ts";
import { readFrame } from "./wire-frame.ts";

/** Called once: with the reply, or with undefined when the connection ended before a reply arrived. */
export type OnReply = (reply: Reply | undefined) => void;

/** One connection, from its opening to its end: requests go out, replies and pushes come in. */
export interface Link {
  /**
   * Sends a request, given as JSON members without braces. `onReply` runs before any later frame is handled. Returns
   * false when the sender should wait for `drained`.
   */
  call(command: string, onReply: OnReply): boolean;
  drained(): Promise<void>;
  /** Number of frames received so far, of any kind. */
  received(): number;
  /** Reads until the connection ends, then calls each waiting `onReply` with undefined. Called once; never rejects. */
  run(onPush: (push: PushFrame, size: number) => void): Promise<void>;
  close(): void;
}

export function createLink(channel: Channel): Link {
  const waiting = new Map<number, OnReply>();
  let last = 0;
  let received = 0;
  let ended = false;

  const take = (line: string, onPush: (push: PushFrame, size: number) => void): void => {
    received += 1;
    const frame = readFrame(line);
    if (frame.kind === "push") onPush(frame.push, line.length);
    if (frame.kind !== "reply") return;
    const onReply = waiting.get(frame.id);
    waiting.delete(frame.id);
    onReply?.(frame.reply);
  };
  const end = (): void => {
    ended = true;
    const lost = [...waiting.values()];
    waiting.clear();
    for (const onReply of lost) onReply(undefined);
  };
  return {
    call: (command, onReply) => {
      if (ended) {
        onReply(undefined);
        return true;
      }
      last += 1;
      waiting.set(last, onReply);
      return channel.send(`{"id":${last},${command}}`);
    },
    drained: () => channel.drained(),
    received: () => received,
    run: async (onPush) => {
      for (let lines = await channel.receive(); lines.length > 0; lines = await channel.receive()) {
        for (const line of lines) take(line, onPush);
      }
      end();
    },
    close: () => channel.close(),
  };
}
