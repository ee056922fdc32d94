import type { HarnessId } from "../harness-names.ts";
import { WRITES_DOWN_CALLS } from "../harness-names.ts";
import type { PriceOverrides } from "../prices.ts";
import { priceOf } from "../prices.ts";

/** Names of Claude Code for whichever model is the newest of its kind. */
const CLAUDE_ALIASES: ReadonlySet<string> = new Set([
  "default",
  "best",
  "opus",
  "sonnet",
  "haiku",
  "fable",
  "opusplan",
]);

const isAlias = (model: string): boolean => CLAUDE_ALIASES.has(model.replace(/\[1m\]$/i, ""));

/**
 * Whether the dollars that an agent spends can be known: its model has a price, or it chooses a model itself and names
 * it before it spends anything. A limit in dollars on anything else would never be reached.
 */
export function canMeasure(harness: HarnessId, model: string | null, prices: PriceOverrides = {}): boolean {
  if (harness === "fake") return true;
  if (model === null) return WRITES_DOWN_CALLS.has(harness);
  return priceOf(model, prices) !== undefined || (harness === "claude-code" && isAlias(model));
}
