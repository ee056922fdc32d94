import { ClawError } from "@claw/contract";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { Launch } from "./launch-worker.ts";
import type { WorkerOrder } from "./worker-order.ts";

/** The budgets, as far as starting workers needs them. */
export interface Purse {
  /** Why a worker may not be started like this; undefined when the start is allowed. */
  refuseSpawn(
    order: Pick<WorkerOrder, "harness" | "model" | "budget" | "parentId" | "fleet">,
  ): PurseRefusal | undefined;
  /** Why a worker may spend no more; undefined when the worker may. */
  refusal(peerId: string): string | undefined;
  /** Tokens that a worker has reported in its present run. */
  reportedTokens(peerId: string): number;
}

export interface PurseRefusal {
  readonly code: "BUDGET_EXCEEDED" | "BUDGET_UNMEASURABLE";
  readonly message: string;
}

/** Parts of the daemon that starting a worker needs. */
export interface Parts extends Launch {
  readonly registry: WorkerRegistry;
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
