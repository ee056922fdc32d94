import type { HarnessId } from "../runs/harness-names.ts";
import { WRITES_DOWN_CALLS } from "../runs/harness-names.ts";
import type { PriceOverrides } from "../models/prices.ts";
import { priceOf } from "../models/prices.ts";

/** Aliases of Claude Code for the newest model of each kind. */
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
 * Whether claw can count the dollars an agent spends: the model has a price, or the agent chooses the model and names
 * the model before the first spending. A dollar limit on any other agent would never be reached.
 */
export function canMeasure(harness: HarnessId, model: string | null, prices: PriceOverrides = {}): boolean {
  if (harness === "fake") return true;
  if (model === null) return WRITES_DOWN_CALLS.has(harness);
  return priceOf(model, prices) !== undefined || (harness === "claude-code" && isAlias(model));
}
