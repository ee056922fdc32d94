import type { Ledger } from "@claw/contract";
import { createLedger, LIMITS } from "@claw/contract";
import type { StoredProjection } from "../../bus/index.ts";
import { fieldsOf } from "../../bus/index.ts";
import { readSpending, SPENDING_TOPICS } from "./read-spending.ts";

/** What the log tells of money. */
export interface BudgetMemory extends StoredProjection {
  readonly ledger: Ledger;
  /** Whether a warning, or that a limit was reached, stands in the log. */
  wasSaid(key: string): boolean;
}

interface Said {
  readonly scope: unknown;
  readonly id: unknown;
  readonly unit: unknown;
  readonly at: unknown;
}

/** The same for what is to be said and what was said. A limit that was changed is another. */
export const saidKey = ({ scope, id, unit, at }: Said): string => JSON.stringify([scope, id ?? null, unit, at]);

/** The same for what is to be said and what was said of a model without a price. */
export const unpricedKey = (peerId: string, model: string): string => JSON.stringify(["unpriced", peerId, model]);

export function createBudgetMemory(dayOf: (iso: string) => string): BudgetMemory {
  const ledger = createLedger();
  const said = new Set<string>();
  const remember = (key: string): void => {
    said.add(key);
    const [oldest] = said;
    if (said.size > LIMITS.budgetWarnings && oldest !== undefined) said.delete(oldest);
  };
  return {
    ledger,
    wasSaid: (key) => said.has(key),
    patterns: SPENDING_TOPICS,
    apply: (event) => {
      const { topic, from, payload } = event;
      for (const fact of readSpending(event, dayOf)) ledger.apply(fact);
      if (from !== "server" || !topic.startsWith("system.budget.")) return;
      const { scope, id, unit, threshold, limit, model } = fieldsOf(payload);
      if (topic.endsWith(".unmeasurable")) return remember(unpricedKey(String(id), String(model)));
      if (topic.endsWith(".warning") && threshold !== undefined) remember(saidKey({ scope, id, unit, at: threshold }));
      if (topic.endsWith(".exceeded")) remember(saidKey({ scope, id, unit, at: limit }));
    },
    save: () => ({ ledger: ledger.save(), said: [...said] }),
    load: (saved) => {
      const known = saved as { ledger: unknown; said: readonly string[] };
      ledger.load(known.ledger);
      known.said.forEach(remember);
    },
  };
}
