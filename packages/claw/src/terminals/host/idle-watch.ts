/** The result of a regular check of a terminal host. */
export interface HostLook {
  /** Whether the record in the host's folder still belongs to this host. */
  readonly isOwn: boolean;
  /** Whether a terminal is open, or a client is connected. */
  readonly isNeeded: boolean;
  /** Milliseconds. */
  readonly now: number;
}

/**
 * Decides at each check whether a terminal host continues: `idle` when no client needs it, `lost` when clients cannot
 * find it.
 */
export type IdleWatch = (look: HostLook) => "goes on" | "idle" | "lost";

/** A host is idle after `idleMs` without a client or an open terminal. The start counts as a moment of need. */
export function createIdleWatch(idleMs: number, startedAt: number): IdleWatch {
  let neededAt = startedAt;
  return ({ isOwn, isNeeded, now }) => {
    if (isNeeded) neededAt = now;
    // Clients can never return to the terminals of a host they cannot find.
    if (!isOwn) return "lost";
    return now - neededAt >= idleMs ? "idle" : "goes on";
  };
}
