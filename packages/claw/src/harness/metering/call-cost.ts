import type { PriceOverrides } from "claw-contract";
import { costOf } from "claw-contract";
import type { CallTokens } from "./model-call.ts";

/** What one call cost in dollars, or undefined when the price of its model is not known. */
export const callCost = (model: string, tokens: CallTokens, prices: PriceOverrides): number | undefined =>
  costOf(
    model,
    {
      input_tokens: tokens.input,
      output_tokens: tokens.output,
      cache_read_input_tokens: tokens.cacheRead,
      cache_creation_input_tokens: tokens.cacheWritten,
      cache_creation_1h_input_tokens: tokens.cacheHour,
    },
    prices,
  );
