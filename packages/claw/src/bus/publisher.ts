import type { Publisher } from "@claw/contract/schemas";
import type { BusContext } from "./bus-context.ts";
import type { Peer } from "./peer.ts";

/** What a peer owns now, for deciding what it may publish. */
export const publisherOf = (context: BusContext, peer: Peer): Publisher => ({
  role: peer.role,
  peerId: peer.id,
  terminalId: peer.terminalId,
  waveId: peer.waveId,
  waveRole: peer.waveRole,
  taskIds: context.state.tasks.idsOf(peer.id),
  openCalls: context.calls.of(peer.id),
});
