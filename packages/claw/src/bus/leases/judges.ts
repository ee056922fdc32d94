import type { LeaseMark } from "../log/index.ts";

/** Says which daemon of a cluster decides what no daemon owns. */
export interface Judges {
  /**
   * Called once the log was read, before this daemon writes: its numbers have to be above those in the log. Rejects with
   * NATS_UNREACHABLE.
   */
  begin(this: void): Promise<void>;
  /**
   * The lease under which this daemon does now what is done once in the cluster; undefined while another daemon does. From
   * the first call on, this daemon takes the lease whenever it is free.
   */
  once(this: void, what: string): LeaseMark | undefined;
  /** Whether the daemon of a machine was not heard for so long that its peers count as gone. */
  isGone(this: void, machine: string): boolean;
  /**
   * Lets this daemon alone decide about something, in place of a daemon that is gone. Resolves when no other daemon decides about
   * it and this daemon knows what others have decided, with the function that ends the decision. Rejects with
   * NATS_UNREACHABLE.
   */
  decide(this: void, what: string): Promise<() => Promise<void>>;
}

/** Permission to publish. A daemon of a cluster adds the lease to the events that it publishes under the mandate. */
export interface Mandate {
  readonly lease?: LeaseMark;
}

/** The mandate of a daemon for its own peers. The lease of its machine's name is enough. */
export const OWN_MANDATE: Mandate = {};

/** Work that is done for the peers of daemons that are gone. */
const OWNERLESS = "ownerless";

export interface JudgeDeps {
  readonly judges: Judges | undefined;
  readonly isHere: (peerId: string) => boolean;
  readonly machineOf: (peerId: string) => string | undefined;
}

/** Tells the parts of a daemon whether this daemon decides. In a log with one writer, this daemon decides everything. */
export interface Turns {
  /** The mandate for work that is done once in the cluster; undefined while another daemon has it. */
  once(this: void, what: string): Mandate | undefined;
  /** The mandate for a peer of this machine, or of a machine that is gone; undefined while another daemon has it. */
  forPeer(this: void, peerId: string): Mandate | undefined;
}

export function createTurns({ judges, isHere, machineOf }: JudgeDeps): Turns {
  const once: Turns["once"] = (what) => {
    if (judges === undefined) return OWN_MANDATE;
    const lease = judges.once(what);
    return lease === undefined ? undefined : { lease };
  };
  return {
    once,
    forPeer: (peerId) => {
      if (isHere(peerId)) return OWN_MANDATE;
      const machine = machineOf(peerId);
      return machine !== undefined && judges?.isGone(machine) === true ? once(OWNERLESS) : undefined;
    },
  };
}
