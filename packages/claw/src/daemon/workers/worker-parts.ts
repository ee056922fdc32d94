import type { ReadRequest } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Budgets, SpawnRefusal } from "../supervision/budgets/budgets.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { Launch } from "./launch-worker.ts";

/** A request for a new worker. */
export type SpawnRequest = ReadRequest<"worker.spawn">;

/** A request that the rules permit: the folder exists, and the parent is a peer id. */
export type PermittedSpawn = SpawnRequest & { readonly cwd: string };

/** The budgets, as far as starting workers needs them. */
export type StartBudgets = Pick<Budgets, "refuseSpawn" | "refusal" | "reportedTokens">;

/** Parts of the daemon that starting a worker needs. */
export interface Parts extends Launch {
  readonly registry: WorkerRegistry;
  readonly budgets: StartBudgets;
  readonly waitingCommands: (peerId: string) => readonly number[];
  /** Ports of workers that are being started. */
  readonly ports: Set<number>;
  /** Names of workers that are being started. */
  readonly reserved: Set<string>;
}

export function requireMoney(refusal: SpawnRefusal | undefined, target: string): void {
  if (refusal === undefined) return;
  throw new ClawError(refusal.code, refusal.message, { operation: "start_worker", target });
}
