import type { Calls } from "./peers/calls.ts";
import { createCalls } from "./peers/calls.ts";
import type { DirectPush } from "./delivery/direct-push.ts";
import { createDirectPush } from "./delivery/direct-push.ts";
import type { KeptSubscriptions } from "./delivery/kept-subscriptions.ts";
import { createKeptSubscriptions } from "./delivery/kept-subscriptions.ts";
import type { Serial } from "./state/serial.ts";
import { createSerial } from "./state/serial.ts";
import type { BudgetLimits } from "./state/budget.ts";
import type { BusState } from "./state/bus-state.ts";
import { createBusState } from "./state/bus-state.ts";
import type { Terminals } from "./terminals/terminals.ts";
import { NO_TERMINALS } from "./terminals/terminals.ts";
import type { Policy } from "./publish/topic-plan.ts";

/** Facts about the server that `introspect` reports: version, sockets, durability. */
export interface About {
  readonly version?: string;
  readonly servers?: readonly { readonly workspace: string; readonly socket: string }[];
  readonly durability?: string;
}

export interface PartOptions {
  readonly now: () => number;
  /** `strict` unless told otherwise. */
  readonly policy?: Policy;
  /** Must know its open terminals when `restore` runs: `restore` publishes all other recorded terminals as closed. */
  readonly terminals?: Terminals;
  readonly budget?: BudgetLimits;
  readonly about?: About;
}

/** Parts that request handlers use besides the log and the peers. */
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
  /**
   * Earliest time from which a peer's silence counts, in milliseconds: the start, or the last wake-up of the process.
   */
  readonly listening: { since: number };
  /** For each peer that left and may come back: when the peer left, in milliseconds. */
  readonly leftAt: Map<string, number>;
  /** Peers that were connected before a restart and have not come back, with their roles. */
  readonly missing: Map<string, string>;
  /** Wave members whose silence is being reported, as `<wave id> <role>`. */
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
    // A command's number never exceeds its event's sequence, so numbers keep growing when a restart begins at the head.
    nextCommandNumber: (head) => (lastNumber = Math.max(lastNumber, head) + 1),
  };
}
