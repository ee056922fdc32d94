import { cursorOfPush } from "../push-cursor.ts";
import type { TransportConnection } from "../../transports/transport.ts";

/** A connection that counts as congested while too many of its events wait for their acknowledgement. */
export interface Window {
  readonly connection: TransportConnection;
  /** Takes events up to a sequence as done; they are not sent again. */
  ack(sequence: number): void;
  /** When the oldest event that waits was sent; undefined when none waits. */
  waitingSince(): number | undefined;
  /** Forgets the sent events, before the bus sends them again. */
  reset(): void;
}

export interface WindowOptions {
  readonly acked: number;
  readonly maxInFlight: number;
  readonly now: () => number;
}

export function createWindow(connection: TransportConnection, { acked, maxInFlight, now }: WindowOptions): Window {
  const sent = new Map<number, number>();
  let done = acked;
  return {
    connection: {
      send: (frame) => {
        const sequence = cursorOfPush(frame)?.sequence;
        if (sequence !== undefined && sequence <= done) return;
        if (sequence !== undefined) sent.set(sequence, now());
        connection.send(frame);
      },
      congested: () => sent.size >= maxInFlight || connection.congested(),
      end: () => connection.end(),
    },
    ack: (sequence) => {
      done = Math.max(done, sequence);
      for (const waiting of sent.keys()) {
        if (waiting > done) break;
        sent.delete(waiting);
      }
    },
    waitingSince: () => {
      const [oldest] = sent.values();
      return oldest;
    },
    reset: () => sent.clear(),
  };
}
