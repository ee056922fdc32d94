import type { RouteFrame } from "./route-frame.ts";

/** The largest question or answer. */
export const MAX_TEXT_BYTES = 32 * 1024 * 1024;

/** Sends frames to other machines. */
export interface RouteLine {
  /** Hands a frame over for sending. Never throws; without NATS the frame is lost. */
  send(machine: string, frame: RouteFrame): void;
  isConnected(): boolean;
  /** The address of NATS, for messages. */
  readonly url: string;
  /** How many bytes of a text fit into one message. */
  pieceBytes(): number;
}
