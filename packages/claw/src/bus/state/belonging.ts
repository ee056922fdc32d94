import type { EventLog } from "../log/index.ts";
import type { StoredPresence } from "./presence.ts";
import type { CommittedEvent } from "./projection.ts";

/**
 * Says what is this daemon's to do. Every daemon of a cluster takes in every event; what follows from an event is done by
 * one of them. The rule, described in docs/scale.md:
 *
 * - A peer belongs to the machine whose daemon wrote its last `system.peer.joined` or `system.worker.spawned`.
 * - An event about a peer (`worker.<peer>.*`, `cmd.<peer>.*`) concerns the machine of the peer. Any other event concerns
 *   the machine that wrote it.
 */
export interface Belonging {
  /** Whether a peer belongs to this machine. Always true in a log with one writer. */
  isHere(peerId: string): boolean;
  /** Whether this daemon reacts to an event. Always true in a log with one writer. */
  isOurs(event: Pick<CommittedEvent, "topic" | "machine">): boolean;
}

const ABOUT_PEERS = /^(?:worker|cmd)\.([^.]+)\./;
/** `cmd.role.<role>` is for several peers, and is told to each of them by the machine that wrote it. */
const NO_PEER = "role";

export function createBelonging({ machine }: Pick<EventLog, "machine">, presence: StoredPresence): Belonging {
  if (machine === undefined) return { isHere: () => true, isOurs: () => true };
  const isHere = (peerId: string): boolean => presence.homeOf(peerId) === machine;
  return {
    isHere,
    isOurs: ({ topic, machine: writer }) => {
      const [, peerId] = ABOUT_PEERS.exec(topic) ?? [];
      return peerId === undefined || peerId === NO_PEER ? writer === machine : isHere(peerId);
    },
  };
}
