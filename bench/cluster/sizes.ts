import type { Effort } from "../effort.ts";
import { EFFORT } from "../effort.ts";

interface Sizes {
  readonly rounds: number;
  /** Published events of a round. */
  readonly events: number;
  /** The same with a server that syncs each event. */
  readonly syncedEvents: number;
  /** Deliveries of a round that are timed, one after the other. */
  readonly singles: number;
  /** How many workers there are, step by step. */
  readonly workers: readonly number[];
  /** How many each of two shards has. */
  readonly shardWorkers: number;
  /** How long each step is measured: a multiple of the time between two heartbeats. */
  readonly stepMs: number;
  readonly heartbeatMs: number;
  /** Calls of `claw ps` at each daemon, after each step. */
  readonly lists: number;
}

const USUAL: Sizes = {
  rounds: 5,
  events: 15_000,
  syncedEvents: 3000,
  singles: 1000,
  workers: [10, 100, 1000, 3000, 10_000],
  shardWorkers: 1000,
  stepMs: 10_000,
  heartbeatMs: 10_000,
  lists: 3,
};

const BY_EFFORT: Readonly<Record<Effort, Sizes>> = {
  smoke: {
    rounds: 1,
    events: 300,
    syncedEvents: 100,
    singles: 20,
    workers: [3, 9],
    shardWorkers: 6,
    stepMs: 500,
    heartbeatMs: 100,
    lists: 1,
  },
  usual: USUAL,
  full: { ...USUAL, rounds: 15, singles: 3000, stepMs: 60_000, lists: 10 },
};

/** How much work the suite does. */
export const SIZES = BY_EFFORT[EFFORT];
