import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";
import { ago } from "../text/times.ts";
import { watchBus } from "./ask-bus.ts";

export const handler = handle("peers", {
  run: async (_input, ports) => {
    return watchBus(ports, async (bus) => {
      const own = bus.peerId();
      const { peers: connected } = await bus.request("peers");
      const others = connected.filter((peer) => peer.peerId !== own);
      const peers = others.map((peer) => ({
        peer_id: peer.peerId,
        role: peer.role,
        name: peer.peerName,
        phase: peer.phase,
        stale: peer.stale,
        last_seen: new Date(peer.lastSeen).toISOString(),
      }));
      return { peers_count: peers.length, peers };
    });
  },
  show: ({ peers }, paint) => {
    if (peers.length === 0) return "No peer is connected.";
    const rows = peers.map((peer) => [
      peer.peer_id,
      peer.role,
      peer.name,
      peer.phase ?? "",
      peer.stale ? "stale" : ago(peer.last_seen, Date.now()),
    ]);
    return table(["PEER", "ROLE", "NAME", "PHASE", "SEEN"], rows, paint);
  },
});
