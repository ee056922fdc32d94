import type { CancelSignal } from "../cancel-signal.ts";
import { onAbort } from "../cancel-signal.ts";
import type { LineFields, LineReply } from "./line-frame.ts";
import { CANCEL, members } from "./line-frame.ts";

/** Called once: with the reply, or with undefined when the connection ended before a reply arrived. */
export type OnReply<Reply> = (reply: Reply | undefined) => void;

export interface LineCallerOptions {
  /** Sends a line. Returns false when too much waits to be sent. */
  readonly send: (line: string) => boolean;
}

/** The asking end of a connection: numbers requests, and gives each reply to the request that it answers. */
export interface LineCaller<Reply> {
  /**
   * Sends a request, given as JSON members without braces. `onReply` runs before any later frame is handled; at once
   * when the connection has ended. Returns false when too much waits to be sent.
   */
  call(request: string, onReply: OnReply<Reply>): boolean;
  /** Gives up a call: its `onReply` is not called, and the other end is told to stop its work. */
  cancelOf(call: number): void;
  /** Number of the newest call. */
  newest(): number;
  /** Number of calls without a reply. */
  waiting(): number;
  /** Takes a reply. A reply to no waiting call is dropped. */
  take(rid: number, reply: Reply): void;
  /** The connection has ended. Calls each waiting `onReply` with undefined. Idempotent. */
  end(): void;
}

export function createLineCaller<Reply>({ send }: LineCallerOptions): LineCaller<Reply> {
  const waiting = new Map<number, OnReply<Reply>>();
  let newest = 0;
  let ended = false;
  return {
    call: (request, onReply) => {
      if (ended) {
        onReply(undefined);
        return true;
      }
      newest += 1;
      waiting.set(newest, onReply);
      return send(`{"id":${newest},${request}}`);
    },
    cancelOf: (call) => {
      if (!waiting.delete(call)) return;
      newest += 1;
      send(`{"id":${newest},${members({ cmd: CANCEL, call })}}`);
    },
    newest: () => newest,
    waiting: () => waiting.size,
    take: (rid, reply) => {
      const onReply = waiting.get(rid);
      waiting.delete(rid);
      onReply?.(reply);
    },
    end: () => {
      ended = true;
      const lost = [...waiting.values()];
      waiting.clear();
      for (const onReply of lost) onReply(undefined);
    },
  };
}

export interface LineCallOptions {
  /** Most calls that wait for a reply. */
  readonly maxWaiting: number;
  /** The error of a call whose connection ended, or that found too many calls waiting. */
  readonly failed: (cmd: string, why: "ended" | "full") => Error;
}

/**
 * Sends a request. Resolves with its reply, a refusal too. Rejects with `failed`, or with the signal's reason; then the
 * other end is told to stop its work.
 */
export type Ask = (cmd: string, fields: LineFields, signal?: CancelSignal) => Promise<LineReply>;

/** Makes promises of a caller's calls. */
export function createAsk(caller: LineCaller<LineReply>, { maxWaiting, failed }: LineCallOptions): Ask {
  return (cmd, fields, signal) =>
    new Promise((resolve, reject) => {
      const giveUp = (error: unknown): void => reject(error);
      if (signal?.aborted === true) return giveUp(signal.reason);
      if (caller.waiting() >= maxWaiting) return giveUp(failed(cmd, "full"));
      let stop = (): void => undefined;
      caller.call(members({ cmd, ...fields }), (reply) => {
        stop();
        if (reply === undefined) giveUp(failed(cmd, "ended"));
        else resolve(reply);
      });
      const call = caller.newest();
      stop = onAbort(signal, () => {
        stop();
        caller.cancelOf(call);
        giveUp(signal?.reason);
      });
      return undefined;
    });
}
