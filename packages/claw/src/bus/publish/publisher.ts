import type { Publisher } from "claw-contract/schemas";
import type { ConnectedPeers } from "../peers/connected-peers.ts";
import type { Knowledge } from "../state/knowledge.ts";
import type { Peer } from "../peers/peer.ts";
import { speakerOf } from "../peers/peer.ts";

interface Sources extends Pick<Knowledge, "state">, Pick<ConnectedPeers, "calls"> {}

/** The role, terminal, wave, tasks and open calls of a peer, which decide where the peer may publish. */
export const publisherOf = ({ state, calls }: Sources, peer: Peer): Publisher => ({
  role: peer.role,
  peerId: speakerOf(peer),
  terminalId: peer.terminalId,
  waveId: peer.waveId,
  waveRole: peer.waveRole,
  taskIds: state.tasks.idsOf(speakerOf(peer)),
  openCalls: calls.of(peer.id),
});
