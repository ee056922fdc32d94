import type { CancelSignal } from "./cancel-signal.ts";

/** One connection to the bus: lines of JSON both ways, without their line ends. */
export interface Channel {
  /**
   * Hands a line over for sending, in order. Never throws; lines after the end are dropped. False when more is
   * waiting to be sent than should be: the line was taken, but the sender ought to wait for `drained`.
   */
  send(line: string): boolean;
  /** Resolves when the channel takes more, and when it has ended. */
  drained(): Promise<void>;
  /**
   * The next lines, at least one, oldest first; none when the channel has ended, whoever ended it. Asking is what
   * reads: while nobody asks, a bounded amount is taken off the wire. One call at a time. Never rejects.
   */
  receive(): Promise<readonly string[]>;
  /** Hangs up. Lines not yet received are dropped. Idempotent. */
  close(): void;
}

/**
 * Connects. Resolves with a channel that the caller closes; rejects with any error when nobody answers, within a
 * bounded time, or when the signal is given.
 */
export type OpenChannel = (signal?: CancelSignal) => Promise<Channel>;
