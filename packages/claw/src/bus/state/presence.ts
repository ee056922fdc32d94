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
  /** The machine whose daemon a peer belongs to; undefined when it is unknown, and in a log with one writer. */
  homeOf(peerId: string): string | undefined;
  /** The highest number that a peer's id ever had, as far as the log knows. */
  highest(): number;
}

interface Saved {
  readonly present: readonly [peerId: string, role: string][];
  readonly left: readonly [peerId: string, at: number][];
  readonly highest: number;
  /** Absent in older snapshots. */
  readonly homes?: readonly [peerId: string, machine: string][];
}

/** Peers of a cluster whose machine is remembered. The oldest are forgotten first. */
const KNOWN_HOMES = 100_000;

const numberIn = (peerId: string): number => Number.parseInt(/^p_([0-9a-f]{1,12})$/.exec(peerId)?.[1] ?? "0", 16);

/** The machines of peers. */
function createHomes() {
  const homes = new Map<string, string>();
  return {
    homes,
    settle: (peerId: string, machine: string | undefined): void => {
      if (machine === undefined) return;
      homes.delete(peerId);
      homes.set(peerId, machine);
      const [oldest] = homes.keys();
      if (homes.size > KNOWN_HOMES && oldest !== undefined) homes.delete(oldest);
    },
    /** For a snapshot; nothing in a log with one writer. */
    save: (): Pick<Saved, "homes"> => (homes.size === 0 ? {} : { homes: [...homes] }),
  };
}

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
  const { homes, ...known } = createHomes();
  let highest = 0;
  return {
    patterns: ["system.peer.joined", "system.peer.left", "system.worker.spawned"],
    apply: ({ topic, from, payload, tsServer, machine }) => {
      const { peerId, role } = fieldsOf(payload);
      const id = nonEmptyText(peerId);
      if (from !== "server" || id === undefined) return;
      if (topic !== "system.peer.left") known.settle(id, machine);
      if (topic === "system.worker.spawned") return;
      highest = Math.max(highest, numberIn(id));
      if (topic === "system.peer.left") return leave(id, Date.parse(tsServer));
      left.delete(id);
      present.set(id, nonEmptyText(role) ?? "observer");
    },
    save: (): Saved => ({ present: [...present], left: [...left], highest, ...known.save() }),
    load: (saved) => {
      refill(present, (saved as Saved).present);
      refill(left, (saved as Saved).left);
      refill(homes, (saved as Saved).homes ?? []);
      highest = (saved as Saved).highest;
    },
    leftAt: (peerId) => left.get(peerId),
    homeOf: (peerId) => homes.get(peerId),
    highest: () => highest,
    present: () => present,
  };
}
