import type { StoredProjection } from "../projection.ts";
import { fieldsOf, textOf } from "../read-payload.ts";
import { refill } from "./refill.ts";

/** Who joined and has not left, as the log tells it. After a crash these are the ones that may come back. */
export interface Presence extends StoredProjection {
  /** Peer ids and roles. */
  present(): ReadonlyMap<string, string>;
}

export function createPresence(): Presence {
  const present = new Map<string, string>();
  return {
    patterns: ["system.peer.joined", "system.peer.left"],
    apply: ({ topic, from, payload }) => {
      const { peerId, role } = fieldsOf(payload);
      const id = textOf(peerId);
      if (from !== "server" || id === undefined) return;
      if (topic === "system.peer.left") present.delete(id);
      else present.set(id, textOf(role) ?? "observer");
    },
    save: () => [...present],
    load: (saved) => refill(present, saved as readonly [string, string][]),
    present: () => present,
  };
}
