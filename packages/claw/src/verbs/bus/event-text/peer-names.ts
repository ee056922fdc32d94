import type { EventItem } from "claw-client";
import { objectOf, textOf } from "claw-contract";

/** Names of peers, learnt from the events that are read. */
export interface PeerNames {
  learn(event: Pick<EventItem, "topic" | "from" | "payload" | "data">): void;
  add(id: string, name: string): void;
  /** The name of a peer; its id while none is known. */
  of(id: string): string;
}

/** Peers whose names are remembered; beyond it the oldest are called by their ids again. */
const REMEMBERED = 10_000;

export function createPeerNames(): PeerNames {
  const names = new Map<string, string>();
  const add = (id: string, name: string): void => {
    if (id === "" || name === "" || names.get(id) === name) return;
    if (names.size >= REMEMBERED) names.delete(names.keys().next().value ?? "");
    names.set(id, name);
  };
  return {
    add,
    learn: ({ topic, from, payload, data }) => {
      add(from, textOf(objectOf(payload)["from_name"]));
      const { peerId, peerName, name } = objectOf(data);
      if (from !== "server") return;
      if (topic === "system.peer.joined") add(textOf(peerId), textOf(peerName));
      if (topic === "system.worker.spawned") add(textOf(peerId), textOf(name));
    },
    of: (id) => names.get(id) ?? id,
  };
}
