import { LIMITS, nonEmptyText } from "claw-contract";
import type { StoredProjection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";
import { refill } from "./projection.ts";

/** Peers that joined and have not left, according to the log. After a crash, these peers may come back. */
export interface StoredPresence extends StoredProjection {
  /** Peer ids and roles. */
  present(): ReadonlyMap<string, string>;
  /** When a peer that is not present left, in milliseconds; undefined when it never was here, or too long ago. */
  leftAt(peerId: string): number | undefined;
  /** The highest number that a peer's id ever had, as far as the log knows. */
  highest(): number;
}

interface Saved {
  readonly present: readonly [peerId: string, role: string][];
  readonly left: readonly [peerId: string, at: number][];
  readonly highest: number;
}

const numberIn = (peerId: string): number => Number.parseInt(/^p_([0-9a-f]{1,12})$/.exec(peerId)?.[1] ?? "0", 16);

export function createStoredPresence(): StoredPresence {
  const present = new Map<string, string>();
  const left = new Map<string, number>();
  const leave = (peerId: string, at: number): void => {
    present.delete(peerId);
    left.delete(peerId);
    left.set(peerId, at);
    const [oldest] = left.keys();
    if (left.size > LIMITS.knownWorkers && oldest !== undefined) left.delete(oldest);
  };
  let highest = 0;
  return {
    patterns: ["system.peer.joined", "system.peer.left"],
    apply: ({ topic, from, payload, tsServer }) => {
      const { peerId, role } = fieldsOf(payload);
      const id = nonEmptyText(peerId);
      if (from !== "server" || id === undefined) return;
      highest = Math.max(highest, numberIn(id));
      if (topic === "system.peer.left") return leave(id, Date.parse(tsServer));
      left.delete(id);
      present.set(id, nonEmptyText(role) ?? "observer");
    },
    save: (): Saved => ({ present: [...present], left: [...left], highest }),
    load: (saved) => {
      refill(present, (saved as Saved).present);
      refill(left, (saved as Saved).left);
      highest = (saved as Saved).highest;
    },
    leftAt: (peerId) => left.get(peerId),
    highest: () => highest,
    present: () => present,
  };
}
