import type { CancelSignal } from "claw-contract";

/** One connection to the bus: lines of JSON both ways, without their line ends. */
export interface Channel {
  /**
   * Hands a line over for sending, in order. Never throws; lines after the end are dropped. Returns false when too much
   * waits to be sent: the line was taken, but the sender should wait for `drained`.
   */
  send(line: string): boolean;
  /** Resolves when the channel takes more, and when it has ended. */
  drained(): Promise<void>;
  /**
   * Resolves with the next lines, at least one, oldest first. Resolves with no lines when the channel has ended on
   * either side. Lines are read on demand: between calls, only a bounded amount is taken off the wire. One call at a
   * time. Never rejects.
   */
  receive(): Promise<readonly string[]>;
  /** Hangs up. Lines not yet received are dropped. Idempotent. */
  close(): void;
}

/**
 * Opens a connection. Resolves with a channel that the caller closes. Rejects with any error when the bus does not
 * answer within a bounded time, or when the signal is aborted.
 */
export type OpenChannel = (signal?: CancelSignal) => Promise<Channel>;
