import type { Capability, WireRole } from "claw-contract";
import type { Peer } from "../peers/peer.ts";

/** A peer of the asking machine, as its daemon vouches for it. */
export interface RoutedPeer extends Pick<
  Peer,
  "id" | "role" | "name" | "terminalId" | "waveId" | "waveRole" | "speaksFor" | "parentId"
> {
  readonly role: WireRole;
  readonly capabilities: readonly Capability[];
}

/** A request of a peer, brought to the daemon that answers it. */
export interface RoutedRequest {
  readonly peer: RoutedPeer;
  /** The place in the log that the asking daemon has taken in. */
  readonly through: number;
  /** The line of the request as the peer sent it, without the token. */
  readonly line: string;
}

/** The answer to a routed request. */
export interface RoutedReply {
  /** The frame for the peer. */
  readonly frame: string;
  /** The place in the log that the answering daemon had taken in. */
  readonly through: number;
}

export const routedPeerOf = (peer: Peer): RoutedPeer => ({
  id: peer.id,
  role: peer.role,
  name: peer.name,
  terminalId: peer.terminalId,
  waveId: peer.waveId,
  waveRole: peer.waveRole,
  speaksFor: peer.speaksFor,
  parentId: peer.parentId,
  capabilities: [...peer.capabilities],
});
