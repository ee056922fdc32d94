import type { Bucket } from "../buckets/bucket.ts";
import type { LeaseRecord } from "./lease-record.ts";
import { readLease } from "./lease-record.ts";
import type { LeaseClock } from "./lease-clock.ts";
import type { Lease, LeaseEnd } from "./lease.ts";

export interface LeaseContext {
  readonly bucket: Bucket;
  readonly ttlMs: number;
  readonly clock: LeaseClock;
}

export interface TakenLease extends Required<LeaseRecord> {
  readonly key: string;
}

/** Renewals of a lease within the time of the lease. */
const RENEWALS = 4;
/** The part of its time after which a holder stops that got no confirmation: before the server's clock is at the end. */
const HELD_PART = 0.9;

/** The writes of one lease. */
class Renewal {
  readonly #context: LeaseContext;
  readonly #lease: TakenLease;
  #revision: number;
  /** Ends in the middle of a write whose answer never came. */
  #isUnknown = false;

  constructor(context: LeaseContext, lease: TakenLease) {
    this.#context = context;
    this.#lease = lease;
    this.#revision = lease.fence;
  }

  /** Resolves with false when the key is no longer this lease's. Rejects when there was no answer. */
  async renew(): Promise<boolean> {
    const { bucket } = this.#context;
    const { key, holder, id, fence } = this.#lease;
    if (this.#isUnknown && !(await this.#find())) return false;
    this.#isUnknown = true;
    const revision = await bucket.write(key, JSON.stringify({ holder, id, fence }), this.#revision);
    this.#isUnknown = false;
    if (revision === undefined) return false;
    this.#revision = revision;
    return true;
  }

  /** Which revision the key has after a write without an answer. */
  async #find(): Promise<boolean> {
    const entry = await this.#context.bucket.read(this.#lease.key);
    if (entry === undefined || readLease(entry).id !== this.#lease.id) return false;
    this.#revision = entry.revision;
    return true;
  }

  async remove(): Promise<void> {
    if (this.#isUnknown && !(await this.#find())) return;
    await this.#context.bucket.remove(this.#lease.key, this.#revision);
  }
}

class KeptLease implements Lease {
  readonly key: string;
  readonly holder: string;
  readonly fence: number;
  readonly ended: Promise<LeaseEnd>;
  readonly #context: LeaseContext;
  readonly #renewal: Renewal;
  #confirmed: number;
  #end: LeaseEnd | undefined;
  #settle: (end: LeaseEnd) => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #cancel: () => void = () => undefined;

  constructor(context: LeaseContext, { key, holder, fence, ...rest }: TakenLease, since: number) {
    this.key = key;
    this.holder = holder;
    this.fence = fence;
    this.#context = context;
    this.#renewal = new Renewal(context, { key, holder, fence, ...rest });
    this.#confirmed = since;
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    this.#plan();
  }

  isHeld(): boolean {
    if (this.#context.clock.now() >= this.#deadline()) this.#finish("unconfirmed");
    return this.#end === undefined;
  }

  async release(): Promise<void> {
    const wasHeld = this.isHeld();
    this.#finish("released");
    await this.#running;
    // Without an answer the server removes the key when its time is over.
    if (wasHeld) await this.#renewal.remove().catch(() => undefined);
  }

  #deadline(): number {
    return this.#confirmed + this.#context.ttlMs * HELD_PART;
  }

  #finish(how: LeaseEnd): void {
    if (this.#end !== undefined) return;
    this.#end = how;
    this.#cancel();
    this.#settle(how);
  }

  /** Renews after a part of the lease's time; ends the lease when its time is over, also during a renewal. */
  #plan(): void {
    this.#cancel();
    if (!this.isHeld()) return;
    const { clock, ttlMs } = this.#context;
    const cancelEnd = clock.after(this.#deadline() - clock.now(), () => void this.isHeld());
    const cancelNext = clock.after(ttlMs / RENEWALS, () => {
      if (this.isHeld()) this.#running = this.#renew();
    });
    this.#cancel = () => {
      cancelEnd();
      cancelNext();
    };
  }

  async #renew(): Promise<void> {
    const sentAt = this.#context.clock.now();
    // Without an answer the lease goes on until its time is over.
    const renewed = await this.#renewal.renew().catch(() => undefined);
    if (renewed === true) this.#confirmed = sentAt;
    if (renewed === false) this.#finish("taken");
    this.#plan();
  }
}

/** Renews a lease until it ends. `since` is when its write was sent, which is not later than its time at the server began. */
export const keepLease = (context: LeaseContext, taken: TakenLease, since: number): Lease =>
  new KeptLease(context, taken, since);
