import { setTimeout as delay } from "node:timers/promises";
import type { LeaseMark } from "../../bus/index.ts";
import type { Lease, LeaseNumbers, Leases } from "../../cluster/index.ts";

/** The leases under which one daemon of the cluster does what is done once in it. */
export interface OnceLeases {
  /**
   * The lease under which this daemon does that work now; undefined while another daemon does. From the first call on, this
   * daemon takes the lease whenever it is free.
   */
  mandate(this: void, what: string): LeaseMark | undefined;
  /** Looks at the numbers after an event under one of them counted nowhere. Never rejects. */
  check(this: void): void;
  /** Gives all leases up. Idempotent. */
  release(): Promise<void>;
}

export interface OnceOptions {
  readonly leases: Leases;
  readonly numbers: LeaseNumbers;
  /** The key of the lease of some work. */
  readonly keyOf: (what: string) => string;
  readonly machine: string;
  /** Called when this daemon has taken a lease: there may be work that is due. */
  readonly taken: () => void;
  readonly report: (text: string) => void;
  /** How long to wait between two attempts to take a lease that another daemon holds. */
  readonly againMs: number;
}

/** Tells that the leases are given up. */
interface Over {
  readonly signal: AbortSignal;
  readonly promise: Promise<void>;
}

/** The work of one lease. */
class Work {
  readonly #options: OnceOptions;
  readonly #what: string;
  readonly #over: Over;
  readonly #running: Promise<void>;
  #held: { readonly lease: Lease; number: number } | undefined;

  constructor(options: OnceOptions, what: string, over: Over) {
    this.#options = options;
    this.#what = what;
    this.#over = over;
    this.#running = this.#run();
  }

  get #mark(): string {
    return `once.${this.#what}`;
  }

  mandate(): LeaseMark | undefined {
    return this.#held?.lease.isHeld() === true ? { key: this.#mark, number: this.#held.number } : undefined;
  }

  async check(): Promise<void> {
    const held = this.#held;
    if (held === undefined) return;
    const { key, fence } = held.lease;
    held.number = await this.#options.numbers.check({ key, fence, mark: this.#mark }, held.number);
  }

  async release(): Promise<void> {
    await this.#running;
    await this.#held?.lease.release();
  }

  async #run(): Promise<void> {
    const { report, againMs, taken } = this.#options;
    const isOver = (): boolean => this.#over.signal.aborted;
    while (!isOver()) {
      try {
        this.#held = await this.#take();
        if (this.#held !== undefined) taken();
      } catch (error) {
        report(`${this.#what} cannot be held for now: ${String(error)}`);
      }
      await Promise.race([this.#held?.lease.ended ?? delay(againMs, undefined, { ref: false }), this.#over.promise]);
      if (!isOver()) this.#held = undefined;
    }
  }

  async #take(): Promise<{ readonly lease: Lease; number: number } | undefined> {
    const { leases, numbers, keyOf, machine } = this.#options;
    const lease = await leases.acquire(keyOf(this.#what), machine);
    if (lease === undefined) return undefined;
    try {
      const { key, fence } = lease;
      return { lease, number: await numbers.take({ key, fence, mark: this.#mark }) };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }
}

export function createOnceLeases(options: OnceOptions): OnceLeases {
  const works = new Map<string, Work>();
  const controller = new AbortController();
  const { signal } = controller;
  const promise = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  return {
    mandate: (what) => {
      const known = works.get(what) ?? new Work(options, what, { signal, promise });
      works.set(what, known);
      return known.mandate();
    },
    check: () => {
      for (const work of works.values()) {
        work.check().catch((error: unknown) => options.report(String(error)));
      }
    },
    release: async () => {
      controller.abort();
      await Promise.all([...works.values()].map((work) => work.release()));
    },
  };
}
