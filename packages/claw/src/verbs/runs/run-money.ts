import type { PriceOverrides, RunResult } from "claw-contract";
import { addTokens, callCost, createCallBook, createSessionMeter, NO_TOKENS, tokensIn } from "../../harness/index.ts";

/** The environment of a run's agent, which leads to the agent's files, and the prices of models. */
export interface RunMoney {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prices: PriceOverrides;
}

/**
 * Adds to the result of a Codex run the tokens of its sub-agents, and the cost of all tokens by the table of prices:
 * the stream of Codex reports neither. Results of other agents stay unchanged.
 */
export function withMoney(result: RunResult, { env, prices }: RunMoney): RunResult {
  const { harness, session_id: id } = result;
  if (harness !== "codex" || id === null) return result;
  const book = createCallBook();
  const calls = createSessionMeter(harness, { id, env })
    .read()
    .flatMap((fact) => [...book.take(fact)]);
  if (calls.length === 0) return result;
  const tokens = calls.map((call) => call.tokens).reduce(addTokens, NO_TOKENS);
  const costs = calls.map(({ model, tokens: used }) => callCost(model ?? result.model ?? "", used, prices));
  const usd = costs.reduce((sum, cost) => (sum === undefined || cost === undefined ? undefined : sum + cost), 0);
  return {
    ...result,
    input_tokens: tokensIn(tokens),
    output_tokens: tokens.output,
    cache_read_input_tokens: tokens.cacheRead,
    cache_creation_input_tokens: tokens.cacheWritten,
    ...(usd === undefined ? {} : { cost_usd: usd, cost_estimated: true }),
  };
}
