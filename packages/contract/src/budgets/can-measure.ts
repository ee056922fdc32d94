import type { HarnessId } from "../harness-names.ts";
import type { PriceOverrides } from "../prices.ts";
import { priceOf } from "../prices.ts";

/** Agents that say themselves what they cost, whatever model they run on. */
const REPORTS_COST: ReadonlySet<HarnessId> = new Set(["claude-code", "fake"]);

/**
 * Whether the dollars that an agent spends can be known: it says so, or its tokens have a price. A limit in dollars on
 * anything else would never be reached.
 */
export const canMeasure = (harness: HarnessId, model: string | null, overrides: PriceOverrides = {}): boolean =>
  REPORTS_COST.has(harness) || (model !== null && priceOf(model, overrides) !== undefined);
