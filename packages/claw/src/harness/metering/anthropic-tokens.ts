import type { JsonObject } from "claw-contract";
import { objectOf } from "claw-contract";
import { looseCountOf } from "../stream/loose-values.ts";
import type { CallTokens } from "./model-call.ts";

/** Tokens as Anthropic's API tells them. */
export function anthropicTokens(usage: JsonObject): CallTokens {
  return {
    input: looseCountOf(usage["input_tokens"]),
    output: looseCountOf(usage["output_tokens"]),
    cacheRead: looseCountOf(usage["cache_read_input_tokens"]),
    cacheWritten: looseCountOf(usage["cache_creation_input_tokens"]),
    cacheHour: looseCountOf(objectOf(usage["cache_creation"])["ephemeral_1h_input_tokens"]),
  };
}
