import type { ConnectedPeer } from "./bus-host.ts";
import type { Command, CommandResult } from "./commands/command.ts";
import { peerCommand } from "./commands/command.ts";
import type { Role } from "./peer.ts";
import type { Request } from "./wire.ts";

/** A request that an extension answers, and the peer that sent it. */
export interface PeerRequest {
  readonly peer: ConnectedPeer;
  readonly request: Request;
}

/** An extension's handler of one kind of request. */
export interface PeerHandler {
  /** Roles that may send the request. The bus refuses clients of another role, and clients without hello. */
  readonly roles: readonly Role[];
  /** Calls `done` exactly once: at once, or when the started work has ended. */
  readonly run: (asked: PeerRequest, done: (result: CommandResult) => void) => void;
}

export const handlePeers = (roles: readonly Role[], run: PeerHandler["run"]): PeerHandler => ({ roles, run });

/** The handler in the form in which the bus calls its own. The extension sees nothing but peer and request. */
export const commandOf = ({ roles, run }: PeerHandler): Command =>
  peerCommand(roles, ({ peer, request }, done) => run({ peer, request }, done));
