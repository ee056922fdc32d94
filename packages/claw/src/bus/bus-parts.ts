import type { Calls } from "./calls.ts";
import { createCalls } from "./calls.ts";
import type { DirectPush } from "./direct-push.ts";
import { createDirectPush } from "./direct-push.ts";
import type { KeptSubscriptions } from "./kept-subscriptions.ts";
import { createKeptSubscriptions } from "./kept-subscriptions.ts";
import type { Serial } from "./serial.ts";
import { createSerial } from "./serial.ts";
import type { BudgetLimits } from "./state/budget.ts";
import type { BusState } from "./state/bus-state.ts";
import { createBusState } from "./state/bus-state.ts";
import type { Terminals } from "./terminals.ts";
import { NO_TERMINALS } from "./terminals.ts";
import type { Policy } from "./topic-plan.ts";

/** What the bus says of itself, beyond what it knows. */
export interface About {
  readonly version?: string;
  readonly servers?: readonly { readonly workspace: string; readonly socket: string }[];
  readonly durability?: string;
}

export interface PartOptions {
  readonly now: () => number;
  /** `strict` unless told otherwise. */
  readonly policy?: Policy;
  /** Has to know which are open by the time of `restore`: workers in others are taken for gone. */
  readonly terminals?: Terminals;
  readonly budget?: BudgetLimits;
  readonly about?: About;
}

/** What commands work on, beside log and peers. */
export interface BusParts {
  readonly policy: Policy;
  /** Rebuilt from the log after a restart. */
  readonly state: BusState;
  readonly serial: Serial;
  readonly calls: Calls;
  readonly direct: DirectPush;
  readonly kept: KeptSubscriptions;
  readonly terminals: Terminals;
  readonly about: About;
  /** Milliseconds. */
  readonly startedAt: number;
  /** Silence counts from here on at the earliest: the start, or when the process woke last, in milliseconds. */
  readonly listening: { since: number };
  /** When peers that may come back were last here. */
  readonly leftAt: Map<string, number>;
  /** Peers, with their roles, that were here before a restart and have not come back. */
  readonly missing: Map<string, string>;
  /** Silences of waves' members that are being reported. */
  readonly reporting: Set<string>;
  /** A number for `[CLAWS_CMD seq=`, higher than any before. */
  nextCommandNumber(head: number): number;
}

export function createParts(options: PartOptions): BusParts {
  const { now, policy = "strict", terminals = NO_TERMINALS, budget = { thresholdsUsd: [] }, about = {} } = options;
  let lastNumber = 0;
  return {
    policy,
    terminals,
    about,
    state: createBusState(budget),
    serial: createSerial(),
    calls: createCalls(),
    direct: createDirectPush(now),
    kept: createKeptSubscriptions(),
    startedAt: now(),
    listening: { since: now() },
    leftAt: new Map(),
    missing: new Map(),
    reporting: new Set(),
    // An event's sequence is never below its number, so a restart that begins at the head goes on upwards.
    nextCommandNumber: (head) => (lastNumber = Math.max(lastNumber, head) + 1),
  };
}
