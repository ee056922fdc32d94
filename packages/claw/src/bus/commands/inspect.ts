import type { Command } from "./command.ts";
import { ok } from "./command.ts";

export const ping: Command = {
  roles: undefined,
  run: ({ context }, done) => done(ok({ serverTime: context.now() })),
};

/** Everybody who is connected, in the order they came. */
export const peers: Command = {
  roles: undefined,
  run: ({ context }, done) =>
    done(
      ok({
        peers: [...context.peers.values()].map((peer) => ({
          peerId: peer.id,
          role: peer.role,
          peerName: peer.name,
          joinedAt: peer.joinedAt,
          lastSeen: peer.lastSeen,
          stale: peer.stale,
          phase: peer.worker.phase,
          subscriptions: peer.subscriptions.size,
        })),
      }),
    ),
};
