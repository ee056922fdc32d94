import type { JsonObject } from "claw-contract";
import { isObject, numberOrNull, objectOf } from "claw-contract";
import { looseCountOf } from "../stream/loose-values.ts";
import { anthropicTokens } from "./anthropic-tokens.ts";
import type { AgentTotal, CallTokens } from "./model-call.ts";
import { addTokens, NO_TOKENS } from "./model-call.ts";

const tokensOfModel = (model: JsonObject): CallTokens => ({
  input: looseCountOf(model["inputTokens"]),
  output: looseCountOf(model["outputTokens"]),
  cacheRead: looseCountOf(model["cacheReadInputTokens"]),
  cacheWritten: looseCountOf(model["cacheCreationInputTokens"]),
  cacheHour: looseCountOf(model["cacheCreationEphemeral1hInputTokens"]),
});

/** What Claude Code has counted for each model, added up; null when it has counted nothing. */
export function sumModels(modelUsage: unknown): CallTokens | null {
  const models = Object.values(objectOf(modelUsage)).filter(isObject);
  return models.length === 0 ? null : models.map(tokensOfModel).reduce(addTokens, NO_TOKENS);
}

/** Reads the total in a `result` of an agent that speaks as Claude Code does; null for any other object. */
export function readAgentTotal(native: JsonObject): AgentTotal | null {
  if (native["type"] !== "result") return null;
  const [tokens, costUsd] = [sumModels(native["modelUsage"]), numberOrNull(native["total_cost_usd"])];
  if (tokens !== null) return { tokens, costUsd };
  return isObject(native["usage"]) ? { tokens: anthropicTokens(native["usage"]), costUsd } : null;
}
