import { nonEmptyText } from "claw-contract";
import type { StoredEvent } from "../../bus/index.ts";
import { fieldsOf, parsePayload } from "../../bus/index.ts";

/**
 * Knows when an older sidecar appends to `events.log`, so that no event stands there twice. The hooks and the MCP
 * server of claws 0.8 start a sidecar, which joins as an observer under this name and follows all events.
 */
export interface SidecarWatch {
  /** Whether a sidecar writes this event. Asked for every event, in the order of the log. */
  writes(event: StoredEvent): boolean;
  /** Whether a sidecar writes what is pushed now. */
  isHere(): boolean;
}

const SIDECAR_NAME = "orchestrator-stream";

export interface SidecarWatchOptions {
  /** Sequence of the last event before this start of the daemon. Peers that were connected until then are gone. */
  readonly startedAfter: number;
  /**
   * The sequence after which a connected peer follows all events; null while the peer does not, undefined when the peer
   * is gone.
   */
  readonly followsAfter: (peerId: string) => number | null | undefined;
}

export function createSidecarWatch({ startedAfter, followsAfter }: SidecarWatchOptions): SidecarWatch {
  /** Sidecars, with the sequence of their joining. */
  const here = new Map<string, number>();
  const writesAt = (peerId: string, joinedAt: number, sequence: number): boolean => {
    const after = followsAfter(peerId);
    if (after === undefined) return joinedAt > startedAfter || sequence <= startedAfter;
    return after !== null && sequence > after;
  };
  return {
    isHere: () => [...here.keys()].some((peerId) => typeof followsAfter(peerId) === "number"),
    writes: ({ topic, from, payload, sequence }) => {
      const isJoining = from === "server" && topic === "system.peer.joined";
      const isLeaving = from === "server" && topic === "system.peer.left";
      if (!isJoining && !isLeaving) {
        return here.size > 0 && [...here].some(([peerId, at]) => writesAt(peerId, at, sequence));
      }
      const { peerId, peerName, role } = fieldsOf(parsePayload(payload));
      const id = nonEmptyText(peerId) ?? "";
      if (isLeaving) here.delete(id);
      const isWritten = [...here].some(([other, at]) => writesAt(other, at, sequence));
      if (isJoining && peerName === SIDECAR_NAME && role === "observer") here.set(id, sequence);
      return isWritten;
    },
  };
}
