import { LIMITS, MODEL_NAMES, nearest, priceOf } from "@claw/contract";
import { MODEL_ALIASES } from "./choose-provider.ts";

/** Whether claw has heard of a model. Providers have others too, so this refuses nothing. */
const isKnown = (model: string): boolean => priceOf(model) !== undefined;

/** What to do about a model that is not there. */
export function modelHint(model: string): string {
  const names = [...Object.keys(MODEL_ALIASES), ...MODEL_NAMES];
  const close = nearest(model, names, { limit: LIMITS.suggestions });
  if (close.length > 0) return `Did you mean --model ${close.join(" or --model ")}?`;
  return `Choose another: --model ${Object.keys(MODEL_ALIASES).join(", --model ")}, or the exact id at your provider.`;
}

/** The same for a model of which nobody could be asked; undefined for one that claw has heard of. */
export const doubtfulModel = (model: string): string | undefined => (isKnown(model) ? undefined : modelHint(model));
