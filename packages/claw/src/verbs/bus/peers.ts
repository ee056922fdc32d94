import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";
import { ago } from "../text/times.ts";
import { askEveryMachine } from "./every-machine.ts";
import { watchBus } from "./ask-bus.ts";

export const handler = handle("peers", {
  run: async (_input, ports) => {
    return watchBus(ports, async (bus) => {
      const own = bus.peerId();
      const { replies, here, unheard } = await askEveryMachine(bus, "peers");
      for (const machine of unheard) ports.notes.warn(`MACHINE_AWAY: peers of machine ${machine} are not listed`);
      const connected = replies.flatMap(({ peers: each }) => each);
      const others = connected.filter((peer) => peer.peerId !== own);
      const peers = others.map((peer) => ({
        peer_id: peer.peerId,
        role: peer.role,
        name: peer.peerName,
        ...(peer.machine === undefined ? {} : { machine: peer.machine }),
        phase: peer.phase,
        stale: peer.stale,
        last_seen: new Date(peer.lastSeen).toISOString(),
      }));
      return { ...here, peers_count: peers.length, peers };
    });
  },
  show: ({ machine: here, peers }, paint) => {
    if (peers.length === 0) return "No peer is connected.";
    const hasOthers = peers.some(({ machine }) => machine !== here);
    const rows = peers.map((peer) => [
      peer.peer_id,
      peer.role,
      peer.name,
      ...(hasOthers ? [peer.machine ?? ""] : []),
      peer.phase ?? "",
      peer.stale ? "stale" : ago(peer.last_seen, Date.now()),
    ]);
    return table(["PEER", "ROLE", "NAME", ...(hasOthers ? ["MACHINE"] : []), "PHASE", "SEEN"], rows, paint);
  },
});
