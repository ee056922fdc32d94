import type { OuterLimits, PriceOverrides } from "claw-contract";
import { budgetsOver, nonEmptyText, priceOf, textsOf } from "claw-contract";
import type { BusHost } from "../../../bus/index.ts";
import type { BudgetMemory } from "./budget-memory.ts";
import { unpricedKey } from "./budget-memory.ts";

/** Pauses a worker that has a limit in dollars when its model turns out to have no known price. */
export interface UnpricedWorkers {
  /** Looks at a heartbeat of a worker. */
  look(peerId: string, heartbeat: Readonly<Record<string, unknown>>): void;
}

export interface ParkingDeps {
  readonly host: BusHost;
  readonly memory: BudgetMemory;
  readonly outer: () => OuterLimits;
  readonly prices: PriceOverrides;
}

/**
 * Whether the limit was set for this work. Limits of the day and the workspace hold for all workers, and pause no
 * worker because of an unknown price.
 */
const isChosen = (scope: string): boolean => scope !== "day" && scope !== "workspace";

const unpricedReason = (model: string): string =>
  `the price of ${model} is not known, so its limit in dollars cannot be held: add the price to \`prices\` in the ` +
  "settings and start it anew, or go on without the limit (claw resume)";

export function createParking({ host, memory, outer, prices }: ParkingDeps): UnpricedWorkers {
  /** Keys of reports on their way into the log. */
  const saying = new Set<string>();
  const park = (peerId: string, model: string): void => {
    const key = unpricedKey(peerId, model);
    if (memory.wasSaid(key) || saying.has(key)) return;
    saying.add(key);
    const reason = unpricedReason(model);
    const events = [
      { topic: `cmd.${peerId}.pause`, payload: { reason } },
      { topic: "system.budget.unmeasurable", payload: { id: peerId, model, reason, ts: host.timestamp() } },
    ];
    host.publish(events, (outcome) => {
      saying.delete(key);
      if (outcome instanceof Error) host.report(`worker ${peerId} was not paused: ${outcome.message}`);
    });
  };
  return {
    look: (peerId, { model, unpriced_models: unpriced }) => {
      const own = nonEmptyText(model);
      const isUnknown = own !== undefined && priceOf(own, prices) === undefined;
      const [unknown] = [...(isUnknown ? [own] : []), ...textsOf(unpriced)];
      if (unknown === undefined || memory.ledger.account(peerId)?.active !== true) return;
      const limits = budgetsOver(memory.ledger, peerId, outer());
      if (limits.some(({ scope, limit }) => isChosen(scope) && limit.usd !== undefined)) park(peerId, unknown);
    },
  };
}
