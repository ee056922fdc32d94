import type { Publisher } from "@claw/contract/schemas";
import type { BusContext } from "../bus-context.ts";
import type { Peer } from "../peers/peer.ts";

/** The role, terminal, wave, tasks and open calls of a peer, which decide where the peer may publish. */
export const publisherOf = (context: BusContext, peer: Peer): Publisher => ({
  role: peer.role,
  peerId: peer.id,
  terminalId: peer.terminalId,
  waveId: peer.waveId,
  waveRole: peer.waveRole,
  taskIds: context.state.tasks.idsOf(peer.id),
  openCalls: context.calls.of(peer.id),
});
