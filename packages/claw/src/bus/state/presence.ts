import type { StoredProjection } from "../projection.ts";
import { fieldsOf, textOf } from "../read-payload.ts";
import { refill } from "./refill.ts";

/** Who joined and has not left, as the log tells it. After a crash these are the ones that may come back. */
export interface Presence extends StoredProjection {
  /** Peer ids and roles. */
  present(): ReadonlyMap<string, string>;
  /** The highest number that a peer's id ever had, as far as the log knows. */
  highest(): number;
}

interface Saved {
  readonly present: readonly [peerId: string, role: string][];
  readonly highest: number;
}

const numberIn = (peerId: string): number => Number.parseInt(/^p_([0-9a-f]{1,12})$/.exec(peerId)?.[1] ?? "0", 16);

export function createPresence(): Presence {
  const present = new Map<string, string>();
  let highest = 0;
  return {
    patterns: ["system.peer.joined", "system.peer.left"],
    apply: ({ topic, from, payload }) => {
      const { peerId, role } = fieldsOf(payload);
      const id = textOf(peerId);
      if (from !== "server" || id === undefined) return;
      highest = Math.max(highest, numberIn(id));
      if (topic === "system.peer.left") present.delete(id);
      else present.set(id, textOf(role) ?? "observer");
    },
    save: (): Saved => ({ present: [...present], highest }),
    load: (saved) => {
      refill(present, (saved as Saved).present);
      highest = (saved as Saved).highest;
    },
    highest: () => highest,
    present: () => present,
  };
}
