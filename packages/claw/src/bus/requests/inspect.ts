import { knownWorker } from "../publish/gates.ts";
import { refuseOther } from "../routing/machine-away.ts";
import { handleRequest, ok } from "./request-handler.ts";

export const handlePing = handleRequest("ping", ({ context }, done) => done(ok({ serverTime: context.now() })));

/** Lists the connected peers, in the order of joining. */
export const handlePeerList = handleRequest("peers", ({ context, request }, done) =>
  done(
    refuseOther(context, request) ??
      ok({
        peers: [...context.peers.values()].map((peer) => ({
          peerId: peer.id,
          role: peer.role,
          peerName: peer.name,
          terminalId: peer.terminalId ?? null,
          waveId: peer.waveId ?? null,
          correlationId: peer.correlationId ?? null,
          joinedAt: peer.joinedAt,
          lastSeen: peer.lastSeen,
          stale: peer.stale,
          phase: knownWorker(context, peer).phase,
          parentId: knownWorker(context, peer).parentId ?? peer.parentId ?? null,
          subscriptions: peer.subscriptions.size,
          ...(context.log.machine === undefined ? {} : { machine: context.log.machine }),
        })),
      }),
  ),
);
