/** What one look at a terminal host finds. */
export interface HostLook {
  /** Whether the record of the host's folder is still its own. */
  readonly isOwn: boolean;
  /** Whether a terminal is open, or a client is connected. */
  readonly isNeeded: boolean;
  /** Milliseconds. */
  readonly now: number;
}

/** Judges, look by look, whether a terminal host goes on: `idle` when nobody needs it, `lost` when nobody can find it. */
export type IdleWatch = (look: HostLook) => "goes on" | "idle" | "lost";

/** A host that nobody has needed for `idleMs` is idle. It counts as needed when it starts. */
export function createIdleWatch(idleMs: number, startedAt: number): IdleWatch {
  let neededAt = startedAt;
  return ({ isOwn, isNeeded, now }) => {
    if (isNeeded) neededAt = now;
    // Nobody will ever come back to terminals that nobody can find.
    if (!isOwn) return "lost";
    return now - neededAt >= idleMs ? "idle" : "goes on";
  };
}
