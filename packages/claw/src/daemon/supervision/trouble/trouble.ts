import type { DecideOptions, OpenTrouble, TroubleRecord, TroubleStep } from "claw-contract";
import { decideAfterFailure, decideTrouble } from "claw-contract";
import type { BusExtension, BusHost } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { readTrouble, TROUBLE_TOPICS, createTroubleMemory } from "./read-trouble.ts";
import { restartReason, troubleEvents } from "./trouble-events.ts";
import type { TroubleMemory } from "./read-trouble.ts";

export interface WorkerRestarter {
  /**
   * Ends the remaining processes of the worker and starts the worker again. Resolves when `system.worker.spawned` is
   * stored; rejects when the worker was not started.
   */
  restart(peerId: string, reason: string): Promise<void>;
}

export interface TroubleOptions {
  readonly registry: Pick<WorkerRegistry, "changesBy">;
  readonly restarts: WorkerRestarter;
  /** Why a worker may spend no more; undefined when the worker may. */
  readonly overBudget: (peerId: string) => string | undefined;
  /** A random number from 0 to 1. */
  readonly jitter: () => number;
  /** Tells the daemon's clock that there may be a new due time. */
  readonly touch: () => void;
  readonly memory?: TroubleMemory;
}

/** Wait before the next attempt after a step that could not be stored. */
const RETRY_MS = 1000;

interface TroubleSteps {
  readonly memory: TroubleMemory;
  /** Whether a step for a worker is on its way. */
  readonly isBusy: (peerId: string) => boolean;
  /** The earliest time of the next step after a step that could not be stored, in milliseconds. */
  readonly notBefore: (peerId: string) => number;
  /** Takes the step for a worker that is due now. */
  readonly look: (peerId: string) => void;
}

function createTroubleSteps(host: BusHost, options: TroubleOptions): TroubleSteps {
  const { memory = createTroubleMemory(options.registry) } = options;
  const busy = new Set<string>();
  const resting = new Map<string, number>();
  const notBefore = (peerId: string): number => resting.get(peerId) ?? -Infinity;
  const situation = (peerId: string): DecideOptions => ({
    nowMs: host.now(),
    jitter: options.jitter(),
    maySpend: options.overBudget(peerId) === undefined,
  });
  const done = (peerId: string): void => {
    busy.delete(peerId);
    options.touch();
  };
  const restart = async (peerId: string, open: OpenTrouble): Promise<void> => {
    try {
      await options.restarts.restart(peerId, restartReason(open));
      done(peerId);
    } catch (error) {
      host.report(`${peerId} was not started anew: ${String(error)}`);
      done(peerId);
      const record = memory.get(peerId);
      if (record !== undefined) take(peerId, record, decideAfterFailure(record, situation(peerId)));
    }
  };
  const take = (peerId: string, { open }: TroubleRecord, step: TroubleStep | undefined): void => {
    if (step === undefined || open === null) return;
    busy.add(peerId);
    if (step.kind === "restart") return void restart(peerId, open);
    return host.publish(troubleEvents(step, { peerId, open, ts: host.timestamp() }), (outcome) => {
      // A due step stays due: without a pause, a full disk would cause new attempts without end.
      if (outcome instanceof Error) resting.set(peerId, host.now() + RETRY_MS);
      else resting.delete(peerId);
      if (outcome instanceof Error) host.report(`nothing was done about ${peerId}: ${outcome.message}`);
      done(peerId);
    });
  };
  const look = (peerId: string): void => {
    const record = memory.get(peerId);
    if (record === undefined || busy.has(peerId) || host.now() < notBefore(peerId) || !host.isHere(peerId)) return;
    take(peerId, record, decideTrouble(record, situation(peerId)));
  };
  return { memory, isBusy: (peerId) => busy.has(peerId), notBefore, look };
}

/** Handles workers that are stale, hung, or gone before their work is done. */
export function createTrouble(host: BusHost, options: TroubleOptions): BusExtension {
  const { memory, isBusy, notBefore, look } = createTroubleSteps(host, options);
  const dueOf = (peerId: string): number => {
    const open = memory.get(peerId)?.open ?? null;
    if (open === null || isBusy(peerId) || !host.isHere(peerId)) return Infinity;
    const due = open.action === null ? host.now() + RETRY_MS : (open.dueMs ?? Infinity);
    return Math.max(due, notBefore(peerId));
  };
  return {
    name: "trouble",
    memory,
    reactsTo: TROUBLE_TOPICS,
    react: (event) => {
      const peerId = readTrouble(event)?.peerId;
      if (typeof peerId === "string") look(peerId);
    },
    // Takes steps that a crash has lost. Steps with a due time follow with the clock, when all extensions are ready.
    start: () => {
      for (const peerId of memory.open()) if (memory.get(peerId)?.open?.action === null) look(peerId);
    },
    checkDue: () => {
      memory.open().forEach(look);
      return Math.min(Infinity, ...memory.open().map(dueOf));
    },
  };
}
