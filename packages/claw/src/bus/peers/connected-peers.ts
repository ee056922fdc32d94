import type { Calls } from "./calls.ts";
import { createCalls } from "./calls.ts";
import type { Peer } from "./peer.ts";

/** The state of `peers`: who is connected, who left, and which calls between peers are open. */
export interface ConnectedPeers {
  readonly peers: Map<string, Peer>;
  readonly calls: Calls;
  /**
   * Earliest time from which a peer's silence counts, in milliseconds: the start, or the last wake-up of the process.
   */
  readonly listening: { since: number };
  /** For each peer that left and may come back: when the peer left, in milliseconds. */
  readonly leftAt: Map<string, number>;
  /** Peers that were connected before a restart and have not come back, with their roles. */
  readonly missing: Map<string, string>;
  /** Wave members whose silence is being reported, as `<wave id> <role>`. */
  readonly reporting: Set<string>;
}

export const createConnectedPeers = (now: number): ConnectedPeers => ({
  peers: new Map(),
  calls: createCalls(),
  listening: { since: now },
  leftAt: new Map(),
  missing: new Map(),
  reporting: new Set(),
});
