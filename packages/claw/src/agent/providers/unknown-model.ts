import { LIMITS, MODEL_NAMES, nearest, priceOf } from "claw-contract";
import { MODEL_ALIASES } from "./choose-provider.ts";

/** Whether claw knows a model. Providers have other models too, so an unknown model is not refused. */
const isKnown = (model: string): boolean => priceOf(model) !== undefined;

/** A hint for people about a model that does not exist. */
export function modelHint(model: string): string {
  const names = [...Object.keys(MODEL_ALIASES), ...MODEL_NAMES];
  const close = nearest(model, names, { limit: LIMITS.suggestions });
  if (close.length > 0) return `Did you mean --model ${close.join(" or --model ")}?`;
  return `Choose another: --model ${Object.keys(MODEL_ALIASES).join(", --model ")}, or the exact id at your provider.`;
}

/** The hint for a model that claw does not know, when no provider could be asked; undefined for a known model. */
export const doubtfulModel = (model: string): string | undefined => (isKnown(model) ? undefined : modelHint(model));
