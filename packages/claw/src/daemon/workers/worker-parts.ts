import { ClawError } from "@claw/contract";
import type { Fleet } from "../fleet/fleet.ts";
import type { Launch } from "./launch-worker.ts";
import type { WorkerOrder } from "./worker-order.ts";

/** Whether there is money for a worker. */
export interface Purse {
  /** Why a worker may not be started like this; undefined when it may. */
  refuseSpawn(
    order: Pick<WorkerOrder, "harness" | "model" | "budget" | "parentId" | "fleet">,
  ): PurseRefusal | undefined;
  /** Why a worker may spend nothing more; undefined when it may. */
  refusal(peerId: string): string | undefined;
  /** Tokens that a worker has reported in its present run. */
  reportedTokens(peerId: string): number;
}

export interface PurseRefusal {
  readonly code: "BUDGET_EXCEEDED" | "BUDGET_UNMEASURABLE";
  readonly message: string;
}

/** What starting a worker needs. */
export interface Parts extends Launch {
  readonly fleet: Fleet;
  readonly purse: Purse;
  readonly waitingCommands: (peerId: string) => readonly number[];
  /** Ports of workers that are being started. */
  readonly ports: Set<number>;
  /** Names of workers that are being started. */
  readonly reserved: Set<string>;
}

export function requireMoney(refusal: PurseRefusal | undefined, target: string): void {
  if (refusal === undefined) return;
  throw new ClawError(refusal.code, refusal.message, { operation: "start_worker", target });
}
