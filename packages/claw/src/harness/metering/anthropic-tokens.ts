import type { JsonObject } from "@claw/contract";
import { countOf, objectOf } from "../stream/json-fields.ts";
import type { CallTokens } from "./model-call.ts";

/** Tokens as Anthropic's API tells them. */
export function anthropicTokens(usage: JsonObject): CallTokens {
  return {
    input: countOf(usage["input_tokens"]),
    output: countOf(usage["output_tokens"]),
    cacheRead: countOf(usage["cache_read_input_tokens"]),
    cacheWritten: countOf(usage["cache_creation_input_tokens"]),
    cacheHour: countOf(objectOf(usage["cache_creation"])["ephemeral_1h_input_tokens"]),
  };
}
