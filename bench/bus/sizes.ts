import type { Effort } from "../effort.ts";
import { EFFORT, sizeOf } from "../effort.ts";

interface Sizes {
  readonly rounds: number;
  readonly events: number;
  readonly singles: number;
  readonly broadcasts: number;
  readonly history: number;
  readonly liveMs: number;
  readonly peers: number;
}

const USUAL = {
  rounds: 5,
  events: 15_000,
  singles: 1000,
  broadcasts: 1000,
  history: 500_000,
  liveMs: 4000,
  peers: 2000,
};

/** How much work the suite does. */
const BY_EFFORT: Readonly<Record<Effort, Sizes>> = {
  smoke: { rounds: 1, events: 1000, singles: 50, broadcasts: 100, history: 5000, liveMs: 200, peers: 50 },
  usual: USUAL,
  full: { ...USUAL, rounds: 15, events: 30_000, singles: 3000, broadcasts: 3000, history: 1_000_000, liveMs: 20_000 },
};

export const SIZES = BY_EFFORT[EFFORT];
export const WINDOW = 100;
export const SUBSCRIBERS = sizeOf(100, 5);
