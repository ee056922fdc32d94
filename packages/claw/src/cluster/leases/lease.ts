/** The holder of a lease. */
export interface LeaseHolder {
  /** The name that `acquire` was given. */
  readonly holder: string;
  /** Fencing number: of two holders of one lease, the later one has the higher number. */
  readonly fence: number;
}

/** The holder of a lease, as the bucket tells it. */
export interface SeenHolder extends LeaseHolder {
  /** Grows with each renewal of the lease. */
  readonly revision: number;
}

/**
 * Why a lease ended: its holder released it; another write took its place; or no renewal was confirmed in time, so that
 * the server may give it to another holder.
 */
export type LeaseEnd = "released" | "taken" | "unconfirmed";

export interface Lease extends LeaseHolder {
  readonly key: string;
  /**
   * Whether the lease is held, by the clock of this process, also when the process was stopped meanwhile. False before
   * the server can give the lease to another holder, as long as the clocks run equally fast.
   */
  isHeld(): boolean;
  /** Resolves once, when the lease ends. */
  readonly ended: Promise<LeaseEnd>;
  /** Gives the lease up. Never rejects: without an answer the lease expires. Idempotent. */
  release(): Promise<void>;
}

/** Leases expire unless the holder renews them. */
export interface Leases {
  /**
   * Takes a lease, and renews it until it ends. Resolves with undefined when another holder has it. Rejects with
   * `NATS_UNREACHABLE`, retryable, when it cannot be known.
   */
  acquire(key: string, holder: string): Promise<Lease | undefined>;
  /** Who holds a lease now. Rejects as `acquire` does. */
  holderOf(key: string): Promise<SeenHolder | undefined>;
  /**
   * Calls `changed` with the holder, or with undefined, first for now and then after each change. Tells an expired lease
   * at most one lease time late. Rejects as `acquire` does.
   */
  watch(key: string, changed: (holder: LeaseHolder | undefined) => void): Promise<{ close(): void }>;
}
