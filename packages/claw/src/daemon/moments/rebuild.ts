import type { EventLog, MomentStore } from "../../bus/index.ts";
import { LIMITS } from "claw-contract";
import type { MemoryOptions } from "../supervision/memories.ts";
import type { KeptState, Shadow } from "./shadow.ts";
import { createShadow } from "./shadow.ts";

/** Rebuilt states that stay in memory, because a person who looks at a moment looks at its neighbours next. */
const SHADOWS_KEPT = 3;

export type RebuildLog = Pick<EventLog, "epoch" | "head" | "oldest" | "read">;

export interface RebuildDeps extends MemoryOptions {
  readonly log: RebuildLog;
  readonly store: MomentStore;
  /** Most events that a call reads. */
  readonly mostEvents?: number;
  /** Events between two kept states. */
  readonly spacing?: number;
}

export type Rebuilt =
  | { readonly kind: "ready"; readonly shadow: Shadow }
  /** The limit of one call is used up. A further call goes on after the event that was read last. */
  | { readonly kind: "unfinished"; readonly through: number }
  /** The log or the state before the place is no longer kept. */
  | { readonly kind: "gone" };

/** Rebuilds states at earlier places of the log. */
export interface Rebuilder {
  /** The oldest place whose state can be rebuilt. */
  oldest(): number;
  /** The state after an event. Only one call at a time. The caller uses the shadow before the next call. */
  rebuild(sequence: number): Promise<Rebuilt>;
}

class LogRebuilder implements Rebuilder {
  readonly #deps: RebuildDeps;
  /** The newest last. */
  #shadows: readonly Shadow[] = [];

  constructor(deps: RebuildDeps) {
    this.#deps = deps;
  }

  oldest(): number {
    const { log, store } = this.#deps;
    const before = log.oldest() - 1;
    return before === 0 ? 0 : (store.sequences().find((sequence) => sequence >= before) ?? Infinity);
  }

  async rebuild(sequence: number): Promise<Rebuilt> {
    const oldest = this.oldest();
    if (sequence < oldest) return { kind: "gone" };
    const shadow = this.#nearest(sequence, oldest);
    if (shadow === undefined) return { kind: "gone" };
    this.#shadows = [...this.#shadows.filter((each) => each !== shadow), shadow].slice(-SHADOWS_KEPT);
    const outcome = await this.#advance(shadow, sequence);
    if (outcome === "gone") this.#shadows = this.#shadows.filter((each) => each !== shadow);
    if (outcome === "unfinished") return { kind: outcome, through: shadow.through() };
    return outcome === "gone" ? { kind: outcome } : { kind: outcome, shadow };
  }

  /** The state from which the fewest events are left: one in memory, a kept one, or that before the first event. */
  #nearest(sequence: number, oldest: number): Shadow | undefined {
    const { store, log } = this.#deps;
    const known = this.#shadows.filter((shadow) => shadow.through() <= sequence && shadow.through() >= oldest);
    const best = known.toSorted((left, right) => left.through() - right.through()).at(-1);
    for (;;) {
      const kept = store.sequences().findLast((each) => each <= sequence && each >= oldest);
      if (kept === undefined || kept <= (best?.through() ?? -1)) break;
      const state = store.load(kept, log.epoch)?.state as unknown as KeptState | undefined;
      if (state !== undefined) return createShadow(this.#deps, { sequence: kept, state });
    }
    return best ?? (log.oldest() === 1 ? createShadow(this.#deps) : undefined);
  }

  /** Reads on up to a place, or to the limit. `gone` when retention removes the events meanwhile. */
  async #advance(shadow: Shadow, sequence: number): Promise<Rebuilt["kind"]> {
    const { log, store, mostEvents = LIMITS.momentEvents, spacing = LIMITS.momentSpacing } = this.#deps;
    const last = Math.min(sequence, shadow.through() + mostEvents);
    let keptAt = shadow.through();
    for (let through = keptAt; through < last;) {
      const batch = await log.read(through, LIMITS.momentReadBytes);
      if (log.oldest() > through + 1 || batch.events.length === 0) return "gone";
      for (const event of batch.events) if (event.sequence <= last) shadow.apply(event);
      through = batch.through;
      if (shadow.through() - keptAt < spacing || !store.hasRoom()) continue;
      keptAt = shadow.through();
      await keepState(this.#deps, keptAt, shadow.save());
    }
    return last === sequence ? "ready" : "unfinished";
  }
}

/** Keeps a state for later requests. */
export const keepState = ({ log, store }: Pick<RebuildDeps, "log" | "store">, sequence: number, state: KeptState) =>
  store.save({ epoch: log.epoch, sequence, state: { ...state }, events: [] });

export const createRebuilder = (deps: RebuildDeps): Rebuilder => new LogRebuilder(deps);
